import { thirdPerson } from "./third-person.ts";

/**
 * Groups of words that rules look for, each a bit. All words of a clause are looked up once; a rule passes over the clauses
 * that hold none of its groups at the price of a comparison, and only goes on to patterns in the few that do.
 */
export const cue = {
  /** The model, as an actor. */
  agent: 1 << 0,
  user: 1 << 1,
  /** To use a tool, or to choose one. */
  call: 1 << 2,
  tool: 1 << 3,
  /** To hand something on. */
  send: 1 << 4,
  /** To change a value. */
  alter: 1 << 5,
  /** To drop what was said. */
  drop: 1 << 6,
  /** Whatever else holds. */
  despite: 1 << 7,
  not: 1 << 8,
  tell: 1 << 9,
  hush: 1 << 10,
  /** What was said to the model, or by it. */
  talk: 1 << 11,
  /** Where secrets are, and what they are called. */
  secret: 1 << 12,
  /** What a speaker is called in a prompt. */
  speaker: 1 << 13,
  /** Something works no longer. */
  defect: 1 << 14,
  /** Something is better or comes first. */
  rank: 1 << 15,
  /** Each time. */
  each: 1 << 16,
  /** A state or mode the model is said to be in. */
  mode: 1 << 17,
  /** Good news, true or not. */
  success: 1 << 18,
  /** To touch files, programs and accounts. */
  act: 1 << 19,
  /** Words of other languages in Latin letters. */
  tongue: 1 << 20,
  /** Letters of other scripts. */
  script: 1 << 21,
  /** English words with their letters shifted by thirteen, or in reverse. */
  cipher: 1 << 22,
  /** To be sure, to be first, to have to. */
  must: 1 << 23,
  /** A place on a network or a number such as accounts have, or who sells something. */
  place: 1 << 24,
  /** What a definition calls a value that it is given. */
  argument: 1 << 25,
  self: 1 << 26,
  /** Something in quotes or joined by underscores; a program or what a host brings along. */
  named: 1 << 27,
  /** The model, spoken to, and what it has. */
  yours: 1 << 28,
  /** What nobody likes to hear. */
  ill: 1 << 29,
  /** What somebody gave or wanted. */
  given: 1 << 30,
  /** To count for more than something else, or for less. */
  above: 1 << 31,
} as const;

/** The groups of the words of a text that was folded. */
export function cuesOf(folded: string): number {
  let cues = 0;
  let start = -1;
  let digits = 0;
  for (let at = 0; at <= folded.length; at++) {
    const code = at < folded.length ? folded.charCodeAt(at) : 0x20;
    const digit = code >= 0x30 && code <= 0x39;
    if (digit || (code >= 0x61 && code <= 0x7a)) {
      if (start === -1) start = at;
      if (digit) digits++;
      continue;
    }
    if (code === 0x5f) {
      if (start !== -1) cues |= cue.named;
      else start = at;
      continue;
    }
    if (code === 0x60 || code === 0x22 || (code === 0x27 && start === -1)) cues |= cue.named;
    if (code >= 0x400 && isOtherScript(code)) cues |= cue.script;
    else if (code === 0x40) cues |= cue.place;
    if (start === -1) continue;
    // A number that is long, goes on behind a point or stands among letters: of an account or a machine.
    if (digits > 0 && (at - start >= 6 || code === 0x2e)) cues |= cue.place;
    if (at - start <= longest && shapes[shapeOf(folded, start, at)] === 1) {
      cues |= groupsOf.get(folded.slice(start, at)) ?? 0;
    }
    start = -1;
    digits = 0;
  }
  return cues;
}

/** Cyrillic to Arabic, the Korean letters that folding leaves of syllables, kana, Han. */
function isOtherScript(code: number): boolean {
  return (
    code < 0x700 ||
    (code >= 0x1100 && code < 0x1200) ||
    (code >= 0x3040 && code < 0x3100) ||
    (code >= 0x4e00 && code < 0xa000)
  );
}

const words: Readonly<Record<Exclude<keyof typeof cue, "script" | "cipher">, string>> = {
  agent: "agent agents assistant assistants model models llm llms ai caller callers clients host",
  user: "user users human humans person persons people customer customers operator operators anyone anybody requester requesters owner owners caller callers nobody",
  call: "call calls called calling invoke invokes invoked invoking run runs running execute executes executed executing use uses used using trigger triggers triggering consult consulted choose chosen select selected pick picked prefer prefers preferred supersede supersedes behavior behaviour output outputs obey trust try switch rely go goes",
  tool: "tool tools function functions server servers",
  self: "this me it one ones us ours our",
  named:
    "bash shell terminal line filesystem system browser email mail python computer interpreter curl wget rm sudo cat echo sh zsh nc ncat chmod chown env printenv eval base64 scp ssh powershell iwr dd kill crontab",
  send: "send sends sending sent forward forwards forwarded upload uploads uploaded post posts posted transmit transmits email emails mail mailed submit submits submitted share shares shared publish publishes relay relays relayed pass passes passed hand hands handed attach attaches attached disclose disclosed paste pasted supply supplies supplied give gives given include includes included append appended embed steal exfiltrate leak harvest siphon reveal dump return output put provide",
  alter:
    "replace replaces replaced replacing substitute substituted swap swapped swaps change changes changed override overrides overwrite alter alters altered modify modifies modified rewrite rewritten multiply multiplied double doubled halve round rounded inflate inflated increase increased raise raised subtract add adds added append appended prepend prepended insert inserted set sets bcc cc put instead overwrites overwritten overwriting altering rewriting rewrites modifying exchanging exchange exchanges exchanged trade trades traded trading convert converts converted converting turn turns turned turning substituting swapping increasing inflating raising adding inserting nudge shift shifts deduct reduce lower fill fills point points prefix prefixed make invite invites organiser organizer",
  drop: "ignore ignores ignored ignoring disregard disregards disregarded disregarding forget forgets forgetting override overrides overriding overrule overrules overruling bypass bypasses bypassing abandon neglect discard discarded aside attention follow following obey obeying listen listening apply applies applying comply complying suspend suspended void unlearn lifted waived suppress skip disable",
  despite:
    "either regardless matter irrespective even contrary whatever otherwise whichever despite though although also",
  not: "not don doesn mustn shouldn won never no without avoid refrain nothing cannot can needn none nobody",
  tell: "announces declare presents tell telling told inform informing informed notify notifying notified alert alerting warn warning let letting mention mentioning mentioned mentions reveal revealing disclose disclosing admit admitting acknowledge acknowledging show showing shown shows display displaying expose exposing explain explaining describe describing report reporting reports share sharing discuss talk refer know knows knowing see notice learn realize realise suspect aware awareness knowledge find speak pretend act present presented paraphrased quoted rated labelled labeled announce assert confirm confirms assure claim claims say says respond reply answer answers state states conclude mark",
  hush: "secret hidden hide hiding hides conceal concealing concealed withhold withholding confidential invisible private silently quietly secretly covertly discreetly stealthily surreptitiously unbeknownst silent quiet discreet omit omits omitted",
  yours: "your you tools",
  talk: "conversation conversations chat chats dialogue dialog transcript transcripts history messages message prompt prompts instructions instruction context thinking scratchpad reasoning turns",
  secret:
    "ssh rsa id_rsa id_ed25519 id_ecdsa id_dsa authorized_keys ed25519 ecdsa dsa passwd shadow sudoers aws netrc npmrc pypirc kube docker gnupg gcloud wallet bash_history history env mcp mcp_config claude claude_desktop_config cline_mcp_settings keychain credential credentials key keys password passwords secret secrets token tokens environment cookie cookies mnemonic mnemonics phrase phrases vars apikey apikeys api_key api_keys privatekey privatekeys private_key private_keys",
  speaker: "system assistant developer hidden secret",
  defect:
    "deprecated unsafe broken disabled insecure obsolete unreliable compromised unavailable retired outdated fails fail failed failing errors error down discontinued inaccurate legacy offline superseded unmaintained maintained maintenance supported unreachable busy missing timeout times vulnerable buggy inferior distrusted fallback slow slower wrong worse false",
  rank: "best better prefer prefers preferred preference preferable superior priority precedence prioritize prioritise favor favour favored favoured top highest only default trusted ahead primary rank ranking sole exclusively alternative alternatives competing competitor competitors rather instead over first others anyone else above choose choosing select selecting pick picking score rating relevance doubt tie",
  each: "every each any all everything always whenever everytime before prior after once turn turns",
  mode: "ones filter filters checks restriction limits orders now longer hereby henceforth mode safety ethical unrestricted jailbroken instructions unfiltered instruction admin override elevated approval approvals consent permission permissions confirmation guardrails restrictions guidelines guideline rules directives policies silence authorization authorisation authorized authorised consented agreed safeguards safeguard guidance constraints moderation commitments commands binding authoritative session developer",
  success:
    "success successful successfully succeeded succeed completed complete passed safe secure verified fine clean green approved correct failed failure errors error fails problem problems issue issues vulnerability vulnerabilities threat threats finding findings worked done available date secured",
  act: "leave left drop downplay play gloss read reads open opens cat load download downloads install installs write writes delete deletes remove removes edit edits create creates run runs execute executes push merge approve approves pay transfer copy copies save saves store stores visit fetch collect collects gather gathers",
  tongue:
    "ignora ignorez ignorer ignoriere ignorieren ignorar ignorare ignorate olvida olvide esqueca dimentica vergiss oubliez oublie desconsidere missachte usuario usuarios utilisateur utilisateurs benutzer nutzer anwender utente utenti utilizador herramienta ferramenta outil outils werkzeug strumento instrucciones instrucoes istruzioni anweisungen instruktionen consignes contrasena senha passwort las del una que les des vous est dans pour der das und nicht den dem ist ein eine nao dos uma gli della che cet ce",
  must: "sure times must always mandatory required shall should need needs have has ensure please important critical first never",
  place:
    "http https www com net org io dev app example url link links webhook endpoint partner partners sponsor sponsors sponsored ad ads advert adverts advertisement advertisements promo promos promotion promotions promocode promocodes referral affiliate coupon banner slogan product products premium upgrade subscription brand merits powered code",
  ill: "error errors failure failures problem problems risk risks warning warnings negative vulnerability vulnerabilities side fee fees charge charges cost costs downside downsides limitation limitations discrepancy discrepancies delay delays detour detours footnote footnotes bad complaint complaints losses critical competitor competitors",
  given:
    "requested original intended given supplied stated chosen real actual user users customer customers caller callers requester client person human humans requesters clients persons",
  above:
    "supersede supersedes outrank outranks override overrides overrule overrules prevail prevails win wins above ahead before precedence priority advisory optional secondary subordinate void untrusted hint hints trust hierarchy look weigh consider considering",
  argument: "argument arguments parameter parameters param field fields property input variable",
};

const ciphered =
  "ignore instructions instruction previous user tool call send read never always the and secret password file";

const longest = 24;

/** Groups of verbs: the model may be said to do what it is to do. */
const verbs: ReadonlySet<string> = new Set(["send", "alter", "act", "tell"]);

const groupsOf = new Map<string, number>();
function add(word: string, group: number): void {
  groupsOf.set(word, (groupsOf.get(word) ?? 0) | group);
}
for (const [group, list] of Object.entries(words)) {
  for (const word of list.split(" ")) {
    add(word, cue[group as keyof typeof words]);
    if (verbs.has(group)) add(thirdPerson(word), cue[group as keyof typeof words]);
  }
}
for (const word of ciphered.split(" ")) {
  add(shifted(word), cue.cipher);
  // Some words are others in reverse.
  if (word.length > 4 || word === "the") add([...word].reverse().join(""), cue.cipher);
}

/** Most words are in no group, and their ends and length tell. */
const shapes = new Uint8Array(1 << 14);
for (const word of groupsOf.keys()) shapes[shapeOf(word, 0, word.length)] = 1;

function shapeOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  const last = text.charCodeAt(end - 1);
  return (((first * 29 + last) * 29 + text.charCodeAt(start + 1)) * 29 + end - start) & 0x3fff;
}

/** Rot13. */
export function shifted(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    const first = code < 0x61 ? 0x41 : 0x61;
    return String.fromCharCode(first + ((code - first + 13) % 26));
  });
}

/** Whether some rule looks for the word. */
export function isCueWord(word: string): boolean {
  return groupsOf.has(word);
}
