/** Whether a value is JSON Schema's own: a type, or the identifier of a dialect. */
export function isSchemaWord(text: string): boolean {
  return schemaWords.test(text);
}

const schemaWords =
  /^(?:string|number|integer|boolean|object|array|null|https?:\/\/json-schema\.org\/(?:draft-0[3-7]|draft\/20[0-9]{2}-[0-9]{2})\/schema#?)$/;
