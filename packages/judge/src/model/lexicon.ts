/**
 * Classes of English words whose company tells an order to a model from a description of a tool. They carry what was
 * learned of some words over to others that no training text held.
 */
const words: Readonly<Record<string, string>> = {
  read: "read open load fetch retrieve access cat view scan collect gather extract grab obtain inspect capture dump enumerate harvest look check examine reads reading opening fetching collecting",
  send: "send post upload transmit forward email mail share exfiltrate submit deliver relay sync push copy bcc cc ping publish beacon sends sending uploading forwarding forwarded sent uploaded posting mirror mirrored transmitted replicate",
  put: "pass include append attach insert add embed put place paste supply provide encode store write record save set fill populate prepend prefix provided included appended attached passed inserted passing including appending travels carries echoed echo copied pasted",
  run: "run execute invoke call trigger launch install download curl wget bash eval exec spawn start sudo pip npm npx chmod powershell running executing calling invoking called invoked executed",
  change:
    "delete remove erase drop wipe clear purge disable uninstall kill deleting removing change modify replace alter swap redirect substitute overwrite adjust multiply reroute rewrite update edit increase decrease raise lower double convert inflate changed replaced redirected replacing changing substituting rerouted normalise normalize",
  tell: "tell mention inform notify reveal disclose say show display explain describe admit warn alert discuss expose acknowledge state claim announce assure repeat summarize summarise report surface surfaced mentioning telling mentioned revealed told shown displayed quote list",
  use: "use prefer choose select pick favor favour recommend rely using prioritize prioritise default route consult",
  ignore:
    "ignore disregard forget override bypass skip dismiss discard suspend neglect supersede supersedes overrides ignoring bypassing skipping void superseded outrank outranks precedence trump trumps obsolete abandon",
  hide: "secret secretly silently silent quietly hidden hide conceal concealed covert covertly invisible discreet discreetly confidential confidentially stealth unseen unnoticed unaware transparently background quiet internal omit omitted suppress privately behind",
  not: "not never no don't dont without cannot can't won't avoid refrain nor neither nothing none mustn't shouldn't doesn't isn't needn't",
  modal:
    "must always should shall need needs required mandatory necessary have ensure requires obliged expected supposed obligatory will ought",
  urgent:
    "important critical urgent warning attention caution immediately crucial essential vital notice alert priority emergency",
  agent:
    "you your yourself agent agents assistant assistants model models llm llms ai claude gpt chatgpt copilot chatbot caller callers orchestrator bot",
  user: "user users human humans customer customers person people operator operators user's they them their owner client visitor reader someone",
  before: "before prior first beforehand preceding ahead initially precede precedes prerequisite",
  after: "after then afterwards afterward subsequently next once whenever finally thereafter",
  every:
    "every any all each whole entire full complete everything anything verbatim regardless whatever entirety always raw unredacted",
  tool: "tool tools function functions server servers mcp plugin plugins skill connector integration",
  instruct:
    "instruction instructions prompt prompts guideline guidelines rule rules policy policies directive directives system restriction restrictions safety guardrails constraints training guidance persona safeguard safeguards alignment",
  context:
    "conversation conversations history chat context messages transcript memory dialog dialogue thread previous earlier turn turns session reasoning thoughts thinking",
  secret:
    "password passwords secrets token tokens key keys credential credentials apikey ssh cookie cookies env wallet seed passphrase mnemonic private pem keychain kubeconfig jwt bearer oauth credential's aws netrc passwd shadow vault keyring",
  file: "file files folder directory directories path contents content config configuration document documents dotfile disk workspace repository repo codebase source",
  place:
    "url endpoint address webhook http https external remote host domain site gateway proxy mirror collector ftp inbox recipient",
  reason:
    "because otherwise compliance audit auditing security verification performance accuracy telemetry analytics debugging reasons purposes quality validation authentication integrity optimization diagnostics logging calibration attribution billing licensing regulatory policy consistency reliability safety tracking",
  when: "if when unless until while during provided case upon",
  broken:
    "deprecated obsolete outdated broken unsafe insecure vulnerable unavailable disabled retired replaced legacy inferior unreliable discontinued compromised inaccurate misleading instead",
  best: "best better superior preferred trusted official authoritative fastest reliable top leading unmatched ultimate premier only sole favourite favorite",
  result: "result results output outputs response responses answer answers reply replies summary message",
  argument:
    "parameter parameters argument arguments field fields param params value values header payload sidenote notes note",
  now: "now hereafter henceforth onwards remember persist permanently forever",
  consent:
    "confirm confirmation consent approval permission ask approve approved authorized authorised asking prompting confirming approving preapproved",
  pretend:
    "pretend act role roleplay impersonate behave mode admin administrator root developer unrestricted jailbreak superuser elevated",
};

/** At most 32: a clause's classes are a bit set. */
export const classes: readonly string[] = Object.keys(words);

const bitsByWord: ReadonlyMap<string, number> = (() => {
  const found = new Map<string, number>();
  for (const [index, name] of classes.entries()) {
    for (const word of (words[name] ?? "").split(" ")) found.set(word, (found.get(word) ?? 0) | (1 << index));
  }
  return found;
})();

/** Bit set over `classes`. */
export function classesOf(word: string): number {
  return bitsByWord.get(word) ?? 0;
}

export function classBits(...names: readonly string[]): number {
  return names.reduce((bits, name) => bits | (1 << classes.indexOf(name)), 0);
}

/** Words that hardly any English sentence lacks. */
export const common: ReadonlySet<string> = new Set(
  "the a an of to in is for and or be with on by this that from if as are at it its can will not use used using all which when only".split(
    " ",
  ),
);
