import { thirdPerson } from "./third-person.ts";

/**
 * The model as somebody who does something: "the agent", "any assistant", "callers". A definition that says what the model
 * does, and not what the tool does, gives orders in the form of a statement.
 */
const adverb =
  "(?:(?:then|also|always|first|therefore|thus|now|just|simply|silently|quietly|automatically|instead|usually|further|please|only) ){0,2}";
const one =
  "(?:(?:the|an?|any|each|every|your|calling|connected|responsible|whichever) (?:(?:calling|ai|llm|host|chat|language|large|coding|client) )?(?:agent|assistant|model|llm|caller|ai)(?:(?: that| which| who)(?: \\w{1,20}){1,6}?)?)";
const many =
  "(?:(?:ai |llm |calling |chat |language |all |connected |future )?(?:agents|assistants|models|llms|callers|clients))";
const bound =
  "(?:must|should|shall|has to|have to|needs? to|ought to|(?:is|are) (?:to|required to|expected to|asked to|instructed to|obliged to|permitted to|entitled to|free to|told to))";

/** A pattern for any of these acts as the model's. `acts` are base forms. */
export function actorDoing(acts: readonly string[]): RegExp {
  const base = acts.join("|");
  const third = acts.map(thirdPerson).join("|");
  return new RegExp(
    `(?:\\b${one} ${adverb}(?:${third})|(?:^|[.,;:] |\\b(?:and|that|while|where|so|since|as|therefore|hence) )${many} ${adverb}(?:${base})|\\b(?:${one}|${many}) (?:(?:then|also|always|therefore) )?${bound} ${adverb}(?:${base}))\\b`,
    "g",
  );
}
