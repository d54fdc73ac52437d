/** What an English verb is in the third person: `copies`, `passes`, `looks up`. */
export function thirdPerson(verb: string): string {
  const [first = "", ...rest] = verb.split(" ");
  const form = /(?:s|x|z|ch|sh|o)$/.test(first)
    ? `${first}es`
    : /[^aeiou]y$/.test(first)
      ? `${first.slice(0, -1)}ies`
      : `${first}s`;
  return [form, ...rest].join(" ");
}
