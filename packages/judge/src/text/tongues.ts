import { cue } from "./cues.ts";
import { fold } from "./fold.ts";
import { type Match, matchesIn } from "./matches.ts";
import type { Reading } from "./reading.ts";

/** What the plainest wordings of a family say in languages other than English. */
type Topic = "ignore" | "conceal" | "first" | "harvest" | "secret";

/**
 * One pattern for each topic, for folded clauses. Words are written as their language writes them and folded like the text:
 * without accents, with letters in the place of their look-alikes, so a pattern holds no `*` and no escape of a capital.
 */
const tongues: Readonly<Record<Topic, RegExp>> = {
  ignore: patternOf([
    // Chinese, Japanese, Korean
    "(?:忽略|无视|無視|忽视|忘记|忘掉|抛开|不要理会|不用管|别管|不要遵守)[^。]{0,12}(?:指令|指示|说明|說明|提示|规则|規則|限制|约束|要求)",
    "(?:以前|これまで|従来|上記|すべて|全て|元|前)[^。]{0,12}(?:指示|命令|ルール|プロンプト|制限|制約)[^。]{0,8}(?:無視|忘れ|従わな|破棄|無効)",
    "(?:이전|앞선|위의|기존|모든|지금까지)[^.]{0,14}(?:지시|명령|지침|규칙|프롬프트|제한)[^.]{0,10}(?:무시|잊|따르지)",
    // Russian, Arabic
    "(?:игнорируй|игнорируйте|забудь|забудьте|отбрось|отбросьте|не следуй|не следуйте)[^.!?]{0,30}(?:инструкци|указани|правил|команд|ограничени)",
    "(?:تجاهل|انس|تجاوز|أغفل)[^.]{0,25}(?:التعليمات|تعليمات|الأوامر|القواعد|التوجيهات|القيود)",
    // Spanish, Portuguese, Italian
    "\\b(?:ignor[ae]r?|olvid[ae]r?|descart[ae]r?|haga? caso omiso de|haz caso omiso de)\\b[^.!?]{0,25}\\b(?:instrucciones|indicaciones|reglas|ordenes|directrices|restricciones)",
    "\\b(?:ignor[ae]r?|esqueca|desconsider[ae]r?|descart[ae]r?)\\b[^.!?]{0,25}\\b(?:instruções|orientações|regras|ordens|diretrizes|restrições)",
    "\\b(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura(?:re|te)?|non tenere conto)\\b[^.!?]{0,25}\\b(?:istruzioni|indicazioni|regole|direttive|restrizioni)",
    // French, German
    "\\b(?:ignore[rz]?|oublie[rz]?|ne (?:tiens|tenez) (?:pas|plus) compte)\\b[^.!?]{0,10}\\b(?:les|tes|vos|des|toutes|ces|l'ensemble)\\b[^.!?]{0,20}\\b(?:instructions|consignes|directives|regles|restrictions)",
    "\\b(?:ignorier(?:e|en|t)?|vergiss|vergesst|vergessen|missachte[nt]?)\\b[^.!?]{0,30}(?:anweisung|instruktion|regeln|vorgaben|befehle|richtlinien)|(?:anweisungen|instruktionen|vorgaben|richtlinien)[^.!?]{0,25}\\b(?:ignorier|missacht|nicht (?:mehr )?(?:beachte|befolge|gelten|gültig))",
  ]),
  conceal: patternOf([
    "(?:不要|别|勿|不得|切勿|无需|不必|不能|不可|禁止)[^。]{0,8}(?:告诉|告知|通知|提及|透露|让|向|对)[^。]{0,8}(?:用户|使用者|用戶)|(?:对|向)用户(?:隐瞒|隐藏|保密)|(?:瞒着|背着|避免让)用户|用户[^。]{0,6}(?:不知情|不知道|不会知道|不应知道|无需知道|不必知道)",
    "ユーザー?(?:に|へ|には|に対して|側に)[^。]{0,14}(?:言わな|伝えな|知らせな|教えな|通知しな|明かさな|話さな|見せな|報告しな|告げず|知らせず|伝えず|気づかれ|内緒|秘密|隠)",
    "사용자[^.]{0,4}(?:에게|한테|에겐|께|가|는)[^.]{0,14}(?:말하지|알리지|언급하지|공개하지|보여주지|알려주지|통지하지|모르게|비밀|숨기)",
    "не (?:говори|говорите|сообщай|сообщайте|упоминай|упоминайте|рассказывай|рассказывайте|показывай|показывайте|раскрывай|раскрывайте|уведомляй|уведомляйте)[^.!?]{0,30}пользовател|пользовател[^.!?]{0,25}не (?:должен|следует|надо|нужно|сообща|говор)[^.!?]{0,20}(?:зна|виде|узна|сообща|говор)|(?:без ведома|скрой|скрывай|скрывайте|втайне от|незаметно для)[^.!?]{0,20}пользовател",
    "(?:لا|دون|بدون|من غير)[^.]{0,10}(?:تخبر|تذكر|تظهر|تكشف|تعلم|إخبار|علم|إبلاغ|تبلغ)[^.]{0,20}(?:المستخدم)|أخف[^.]{0,25}المستخدم",
    "\\bno (?:se lo |le |lo |la )?(?:digas?|menciones?|informes?|reveles?|muestres?|comuniques?|avises?|cuentes?|notifiques?)\\b[^.!?]{0,40}\\busuari|\\bsin (?:que (?:el|la)|avisar|informar|decirle|conocimiento del|notificar)[^.!?]{0,15}\\busuari",
    "\\bn(?:ã|a)o (?:o |lhe )?(?:diga|mencione|informe|revele|mostre|conte|comunique|avise|notifique)\\b[^.!?]{0,35}\\b(?:usuári|utilizador)|\\bsem (?:avisar|informar|o conhecimento d|que (?:o|a)|notificar)[^.!?]{0,14}\\b(?:usuári|utilizador)",
    "\\bnon (?:dir(?:e|lo|glielo)|menzionare|informare|rivelare|mostrare|comunicare|avvisare|segnalare|notificare)\\b[^.!?]{0,35}\\butent|\\b(?:senza (?:avvisare|informare|dirlo|che l'|notificare)|all'insaputa)[^.!?]{0,14}utent",
    "\\bn[e'] ?(?:le |lui |la |en )?(?:dis|dites|dire|mentionne[rz]?|informe[rz]?|révèle[rz]?|montre[rz]?|signale[rz]?|parle[rz]?|préviens|prévenez)\\b[^.!?]{0,12}\\b(?:pas|jamais|rien)\\b[^.!?]{0,30}\\b(?:utilisat|usager)|\\b(?:sans (?:en |l')?(?:informer|prévenir|avertir|le dire à|que l')|à l'insu de)[^.!?]{0,14}utilisat|\\bne (?:pas|jamais|rien) (?:dire|mentionner|informer|révéler|montrer|signaler)\\b[^.!?]{0,35}utilisat",
    "\\b(?:sage?|erzähl(?:e|en)?|informier(?:e|en)|erwähn(?:e|en)|zeig(?:e|en)?|verrat(?:e|en)?|mitteilen|teile)\\b[^.!?]{0,25}(?:benutzer|nutzer|anwender)[^.!?]{0,25}\\b(?:nicht|nichts|kein)|(?:benutzer|nutzer|anwender)[^.!?]{0,25}\\b(?:nicht|nichts|nie)\\b[^.!?]{0,18}(?:mitteil|mitgeteilt|sagen|erwähn|informier|zeigen|erfahren|wissen|verrat)|\\bohne (?:das )?wissen des (?:be)?nutzers|\\bohne (?:den |die )?(?:be)?nutzer[^.!?]{0,10} zu (?:informier|benachrichtig|frag)",
  ]),
  first: patternOf([
    "(?:必须|务必|总是|始终|一定要|请先|首先)[^。]{0,8}(?:调用|使用|执行|选择)(?:本|此|这个|该)(?:工具|函数|服务)|(?:任何|所有|其他|每次|每个)[^。]{0,8}(?:工具|操作|任务|回答|回复|请求|对话)(?:之前|前)[^。]{0,10}(?:调用|使用|执行)|(?:只能|只)(?:调用|使用|选择)(?:本|此|这个|该)(?:工具|服务)",
    "(?:必ず|常に|最初に|まず)[^。]{0,10}(?:この|本)(?:ツール|関数)を[^。]{0,6}(?:呼|使|実行)|(?:他|ほか)の(?:すべての|全ての|どの)?ツール[^。]{0,8}(?:前に|より先に|よりも|の代わり|ではなく)[^。]{0,14}(?:呼|使|実行|優先)",
    "(?:반드시|항상|먼저|우선)[^.]{0,10}이 (?:도구|함수)를[^.]{0,10}(?:호출|사용|실행)|다른 (?:모든 )?도구[^.]{0,12}(?:전에|먼저|대신|보다)[^.]{0,14}(?:호출|사용|실행)",
    "(?:всегда|обязательно|сначала|первым делом|первым)[^.!?]{0,20}(?:вызыва|вызов|использу|запуска)[^.!?]{0,12}(?:этот|данный) инструмент|(?:перед|до|прежде чем|вместо)[^.!?]{0,15}(?:любым|любого|любых|всех|другими|других)[^.!?]{0,12}инструмент",
    "(?:دائما|أولا|يجب)[^.]{0,15}(?:استدع|استخدم|استدعاء|استخدام|تشغيل)[^.]{0,8}هذه الأداة|قبل (?:أي|كل|جميع)[^.]{0,12}أداة",
    "\\b(?:siempre|primero|debes?|obligatorio)\\b[^.!?]{0,20}\\b(?:llam|us|invo|ejecut|utili)[a-z]{1,6} (?:primero )?(?:siempre )?(?:a )?esta herramienta\\b|\\bantes de (?:usar |llamar a |utilizar |ejecutar )?cualquier(?:a de las)? (?:otr[ao] )?(?:herramienta|acción|tarea|respuesta)|\\ben lugar de (?:las demás|cualquier otra|otras) herramienta",
    "\\b(?:sempre|primeiro|deve)\\b[^.!?]{0,20}\\b(?:cham|us|invo|execut|utili)[a-z]{1,6} (?:primeiro )?(?:sempre )?(?:a )?esta ferramenta\\b|\\bantes de (?:usar |chamar )?qualquer (?:outra )?(?:ferramenta|ação|tarefa|resposta)|\\bem vez de (?:qualquer outra|outras) ferramenta",
    "\\b(?:sempre|prima|devi|obbligatorio)\\b[^.!?]{0,20}\\b(?:chiam|us|invo|esegu|utili)[a-z]{1,6} (?:sempre )?(?:prima )?questo strumento\\b|\\bprima di (?:usare |chiamare )?qualsiasi (?:altro )?(?:strumento|azione|attività|risposta)|\\binvece di (?:qualsiasi altro|altri) strument",
    "\\b(?:toujours|d'abord|devez|dois|obligatoirement)\\b[^.!?]{0,20}\\b(?:appel|utilis|invoqu|exécut)[a-z]{0,5} (?:toujours |d'abord )?cet outil\\b|\\bavant (?:d'utiliser |d'appeler )?(?:tout autre|tous les autres|n'importe quel(?: autre)?|toute) (?:outil|action|tâche|réponse)|\\bau lieu de(?:s| tout) autres? outils?",
    "\\b(?:immer|zuerst|stets|musst|müssen)\\b[^.!?]{0,20}\\bdieses (?:werkzeug|tool)\\b[^.!?]{0,15}\\b(?:auf|aufrufen|verwenden|benutzen|nutzen|zuerst)|\\bvor (?:jedem|allen|jeder|irgendeinem) (?:anderen )?(?:werkzeug|tool|aktion|antwort|aufgabe)|\\b(?:statt|anstelle) (?:aller|eines) anderen (?:werkzeuge?s?|tools?)",
  ]),
  harvest: patternOf([
    "(?:发送(?!给)|提交|上传|传递|传入|填入|填写|附上|附加|包含|写入|复制|转发|粘贴|提供)[^。]{0,14}(?:完整|全部|所有|之前|整个|此前)的?[^。]{0,6}(?:对话|聊天|会话|消息|上下文)|(?:系统提示|系统指令)[^。]{0,14}(?:发送|提交|上传|传递|传入|填入|附上|写入|复制|粘贴)|(?:发送(?!给)|提交|上传|传递|传入|填入|附上|写入|复制|粘贴|输出)[^。]{0,14}(?:系统提示|系统指令)|(?:完整|全部|整个|所有)的?(?:对话|聊天)(?:记录|历史|内容)",
    "(?:会話|チャット|対話)(?:の)?(?:全|履歴|全体|ログ|内容)[^。]{0,16}(?:送|渡|含め|入れ|添付|貼り|記入|コピー|提出)|システムプロンプト[^。]{0,16}(?:送|渡|含め|入れ|添付|貼り|記入|コピー|出力)",
    "(?:대화|채팅)(?: ?(?:전체|기록|내역|내용|전부))[^.]{0,16}(?:보내|전달|포함|입력|첨부|복사|제출|넣)|시스템 프롬프트[^.]{0,16}(?:보내|전달|포함|입력|첨부|복사|출력|넣)",
    "(?:отправ|переда|включ|приложи|скопиру|вставь|вставьте|укажи)[^.!?]{0,25}(?:вс[юея] (?:переписк|бесед|диалог)|полн[а-я]{2,3} (?:переписк|бесед|диалог|истори)|истори[а-я] (?:переписки|диалога|чата|беседы|разговора)|системн[а-я]{2,3} (?:промпт|инструкц|подсказк))",
    "(?:أرسل|أدرج|ضع|انسخ|مرر|أرفق|ارفق|ضمن)[^.]{0,20}(?:المحادثة|الحوار|سجل الدردشة|موجه النظام|تعليمات النظام)",
    "\\b(?:env[ií]|inclu|pas|copi|adjunt|peg|transmit|proporcion)[a-z]{1,5}\\b[^.!?]{0,25}\\b(?:(?:toda la|la) conversación|conversación (?:completa|entera)|historial (?:completo )?(?:del chat|de (?:la )?conversación|de mensajes)|prompt (?:de|del) sistema|mensajes anteriores|instrucciones del sistema)",
    "\\b(?:envi|inclu|pass|copi|anex|col|transmit|forne)[a-z]{1,5}\\b[^.!?]{0,25}\\b(?:(?:toda a|a) conversa|conversa (?:completa|inteira)|histórico (?:completo )?(?:do chat|da conversa|de mensagens)|prompt d[eo] sistema|mensagens anteriores)",
    "\\b(?:invi|includ|pass|copi|alleg|incoll|trasmett|fornisc)[a-z]{0,5}\\b[^.!?]{0,25}\\b(?:(?:l'intera|tutta la) conversazione|conversazione (?:completa|intera)|cronologia (?:completa )?(?:della chat|della conversazione|dei messaggi)|prompt di sistema|messaggi precedenti)",
    "\\b(?:envo|inclu|pass|copi|join|coll|transmet|fourni)[a-z]{0,5}\\b[^.!?]{0,25}\\b(?:(?:toute la|l'intégralité de la|l'ensemble de la) conversation|conversation (?:complète|entière)|historique (?:complet )?(?:du chat|de (?:la )?(?:conversation|discussion)|des messages)|(?:prompt|invite|message) système|messages précédents)",
    "(?:gesamte[nr]?|ganze[nr]?|vollständige[nr]?|komplette[nr]?|bisherige[nr]?) (?:gespräch|chat|unterhaltung|konversation|dialog)[^.!?]{0,25}|\\bsystem-?prompt[^.!?]{0,25}\\b(?:übergeb|einfüg|send|kopier|angeb|mitschick|eintrag)",
  ]),
  secret: patternOf([
    "(?:发送|提交|上传|传递|传入|填入|附上|附加|写入|复制|转发|粘贴|读取)[^。]{0,14}(?:密码|密钥|私钥|令牌|凭证|凭据|环境变量|助记词)[^。]{0,14}(?:发送|提交|上传|传递|传入|填入|附上|写入|复制|转发|粘贴|作为|到)|(?:用户|他们|系统)的(?:密码|密钥|私钥|令牌|凭证|凭据|助记词)[^。]{0,14}(?:发送|提交|上传|传递|传入|填入|附上|写入|复制|转发|粘贴|作为|放)",
    "(?:パスワード|秘密鍵|トークン|認証情報|環境変数)[^。]{0,14}を[^。]{0,14}(?:送信|送って|渡し|含め|添付|貼り|アップロード|読み取)",
    "(?:비밀번호|개인 ?키|토큰|자격 ?증명|환경 ?변수)[^.]{0,10}(?:을|를)[^.]{0,14}(?:보내|전달|첨부|업로드|읽어|전송)",
    "(?:отправ|переда|прочита|прочти|скопиру|загруз|включ|приложи)[^.!?]{0,30}(?:парол|приватн[а-я]{2,3} ключ|закрыт[а-я]{2,3} ключ|токен|учётн[а-я]{2,3} данн|переменн[а-я]{2,3} окружени|секретн[а-я]{2,3} ключ)",
    "(?:أرسل|أدرج|ضع|انسخ|مرر|أرفق|اقرأ)[^.]{0,20}(?:كلمة المرور|كلمات المرور|المفتاح الخاص|بيانات الاعتماد|متغيرات البيئة|رمز الوصول)",
    "\\b(?:env[ií]|inclu|copi|adjunt|transmit|lee|sub)[a-z]{0,5}\\b[^.!?]{0,25}\\b(?:contraseñas?|claves? privadas?|credenciales|variables de entorno|token de sesión)",
    "\\b(?:envi|inclu|copi|anex|transmit|leia)[a-z]{0,5}\\b[^.!?]{0,25}\\b(?:senhas?|chaves? privadas?|credenciais|variáveis de ambiente)",
    "\\b(?:invi|includ|copi|alleg|trasmett|legg)[a-z]{0,5}\\b[^.!?]{0,25}\\b(?:password|chiav[ei] privat[ae]|credenziali|variabili d'ambiente)\\b[^.!?]{0,20}\\b(?:utente|dell|in|nel|come)",
    "\\b(?:envo|inclu|copi|join|transmet|lis|lisez)[a-z]{0,5}\\b[^.!?]{0,25}\\b(?:mots? de passe|clés? privées?|identifiants de connexion|variables d'environnement)",
    "(?:passwort|passwörter|privaten schlüssel|zugangsdaten|umgebungsvariablen)[^.!?]{0,30}\\b(?:übergeb|einfüg|sende|senden|kopier|mitschick|anhäng|hochlad|weitergeb)",
  ]),
};

/** What the clauses of a text say of a topic; `mentioned` where it seems to be spoken about, or forbidden. */
export function* spokenIn(
  { cues, clauses }: Reading,
  topic: Topic,
): Iterable<{ readonly match: Match; readonly mentioned: boolean }> {
  if ((cues & (cue.tongue | cue.script)) === 0) return;
  for (const clause of clauses) {
    if ((clause.cues & (cue.tongue | cue.script)) === 0) continue;
    for (const match of matchesIn(clause, tongues[topic])) {
      if (topic === "first" && own.test(match.after)) continue;
      yield {
        match,
        mentioned: about.test(match.before) || forbidden.test(match.after) || forbidden.test(match.words),
      };
    }
  }
}

/** Words for detecting, examples and never, in those languages. */
const about = new RegExp(
  fold(
    "检测|識別|识别|例如|比如|检查|绝不|不要|请勿|切勿|检出|検出|例えば|감지|탐지|예를 들어|예:|обнаруж|например|никогда|не |كشف|مثل|أبدا|\\b(?:detect|detec|rilev|por ejemplo|por exemplo|ad esempio|par exemple|z\\. ?b\\.|erkenn|nunca|jamais|mai|nie|niemals|no|nao|non|ne|nicht|keine?)\\b",
  ).text,
);
/** Of this server: its own order of things. */
const own = new RegExp(
  fold(
    "^[^.。]{0,12}(?:de este servidor|deste servidor|de ce serveur|di questo server|dieses servers|этого сервера|本服务器|このサーバー)",
  ).text,
);
const forbidden = new RegExp(
  fold("しない|ないで|禁止|하지 마|마세요|않|不要|不会|不得|\\b(?:nicht|nie|niemals|keinesfalls)\\b").text,
);

/** All of them, for those who ask how long they take. */
export const foldedPatterns: readonly RegExp[] = [...Object.values(tongues), about, own, forbidden];

function patternOf(wordings: readonly string[]): RegExp {
  return new RegExp(wordings.map((wording) => fold(wording).text).join("|"), "g");
}
