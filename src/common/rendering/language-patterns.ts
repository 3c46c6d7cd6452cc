/**
 * Regular expressions by which `detect-note-kind.ts` recognizes Markdown and programming languages, each with a weight.
 * Each is tested on one short line, so detection is fast for any text. Data only.
 */
import type { PasteLanguage } from '../../api/content.ts';

type Patterns = readonly (readonly [RegExp, number])[];

const markdown: Patterns = [
  [/^(?:={3,}|-{3,})\s*$/, 0.5],
  [/^\s*[-*+] \[[ xX]\] /, 3],
  [/!?\[[^\]]+\]\((?:https?:|mailto:|[./#\w])[^)\s]*(?: "[^"]*")?\)/, 3],
  [/^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?)?\s*$/, 3],
  [/(?:^|[\s(])(?:\*\*|__)[^\s*_][^*_]*(?:\*\*|__)/, 1.5],
  [/(?:^|[\s(])`[^`]+`/, 1],
  [/^\s*(?:[-*+]|\d{1,3}[.)]) \S/, 0.5],
  [/^> \S/, 1],
];

const javascript: Patterns = [
  [/^\s*(?:export )?(?:const|let|var) (?:\w+|[{[][^=]*)(?:: [^=]+)? = /, 2],
  [/^\s*(?:export )?(?:default )?(?:async )?function\*? ?\w*\(/, 2],
  [/^\s*import (?:type )?(?:[\w*{][^'"]*from )?['"]/, 3],
  [/^\s*\} from ['"]/, 3],
  [/^\s*export (?:default|const|class|type|interface|\{|\*)/, 2],
  [/=> (?:[{([]|\w)/, 1],
  [/\b(?:console\.\w+|require|module\.exports|document\.\w+|JSON\.\w+|Object\.\w+|await \w+)\b\(?/, 1],
  [/[=!]==/, 1],
  [/^\s*(?:export )?(?:declare )?(?:interface|type) \w+(?:<[^>]*>)?(?: =| \{| extends)/, 3],
  [/^\s*\/\*\*|^ \* @\w+/, 0.5],
];

const beyondJavascript: Patterns = [
  [/^\s*(?:export )?(?:declare )?interface \w+/, 1],
  [/^\s*(?:export )?(?:declare )?type \w+(?:<[^>]*>)? =/, 1],
  [/^\s*import type |^\s*export type |\bas const\b|\bsatisfies \w/, 1],
  [/[)\w\]?]: (?:readonly )?(?:string|number|boolean|unknown|void|any|never|bigint|Promise<|Record<|Array<|Map<)/, 1],
  [/^\s*(?:private|public|protected|readonly) \w+[?!]?: /, 1],
  [/^\s*(?:export )?(?:const )?enum \w+ \{/, 1],
];

const python: Patterns = [
  [/^\s*(?:async )?def \w+\(.*(?:\)(?: -> [^:]+)?:\s*(?:#.*)?|,|\()$/, 3],
  [/^\s*class \w+(?:\([^)]*\))?:\s*$/, 3],
  [/^\s*(?:if|elif|for|while|with|try|except|else|finally)\b[^{}]*:\s*(?:#.*)?$/, 0.7],
  [/^\s*(?:if __name__ == |for \w+ in (?:range|enumerate|sorted|zip)\(|with open\(|try:$|except \w+)/, 2],
  [/^(?:import [\w.]+(?: as \w+)?(?:, [\w.]+)*|from [\w.]+ import [\w*(][^;'"]*)\s*$/, 3],
  [/\bself\.\w+|\b__\w+__\b|\bf"[^"]*\{|\bNone\b|\b(?:True|False)\b/, 1],
  [/^\s*(?:print|return|raise|yield|assert)\b[ (][^;{}]*$/, 0.5],
  [/^\s*@\w+(?:\.\w+)*(?:\(.*\))?\s*$/, 0.5],
  [/^\s*(?:"""|''')/, 1],
];

const bash: Patterns = [
  [/^\s*(?:if|elif|while|until) (?:!? ?\[{1,2} |! |(?:command|test|grep) )/, 2],
  [/(?:^|;)\s*(?:then|fi|do|done|esac|elif)\s*(?:$|[;#|>&])/, 2],
  [/^\s*(?:set -[a-z]+|export \w+=|alias \w+=|source \S+|shift|local \w+=)/, 2],
  [/^[^`]*\$(?:\{?\w+[}:%#/]?|\(|[@#?*])/, 1],
  [
    /^\s*(?:\$ )?(?:sudo|apt|apt-get|brew|cd|ls|cat|echo|curl|wget|mkdir|chmod|chown|rm|cp|mv|grep|sed|awk|tar|git|npm|npx|pnpm|yarn|pip|pip3|docker|kubectl|systemctl|ssh|scp|printf) (?:-|[\w./"'$~@{[])/,
    0.7,
  ],
  [
    /^\s*(?:\$ )?(?:sudo|apt|apt-get|brew|curl|wget|mkdir|chmod|npm|npx|pnpm|yarn|pip3?|docker|kubectl|systemctl|git) (?:-\w|--\w|(?:install|run|build|clone|commit|push|pull|add|compose|get|apply)\b)/,
    1.5,
  ],
  [/\s(?:\||&&|\|\|) (?:\w+|\\$)|\s\\$|2>&1|>\s?\/dev\/null/, 1],
  [/^\w+\(\) ?\{/, 2],
  [/^for \w+ in /, 1.5],
];

const css: Patterns = [
  [
    /^\s*(?:--[\w-]+|(?:color|background|margin|padding|display|font|border|width|height|position|top|left|right|bottom|flex|grid|gap|align|justify|text|line|transition|transform|opacity|overflow|box|z|cursor|content|animation|max|min)(?:-[\w-]+)?)\s*:\s*[^;{}=>]+;/,
    2,
  ],
  [/[\w)\]*]\s*\{\s*(?:--[\w-]+|[a-z][a-z-]+)\s*:\s*[^;{}]+;?/, 2],
  [/^\s*@(?:media|import|font-face|keyframes|supports|layer|container|charset)\b/, 3],
  [/^\s*(?:[.#:*][\w-]+|[a-z]+\d?)(?:[.#:>~+,\s\w()[\]="'-]*)\{\s*$/, 0.5],
];

const sql: Patterns = [
  [/^\s*SELECT\b.+\bFROM\b/i, 2],
  [/^\s*SELECT\b/, 2],
  [
    /^\s*(?:FROM \w+|(?:LEFT|RIGHT|INNER|OUTER|CROSS) JOIN|JOIN \w+|WHERE \w+|GROUP BY|ORDER BY|HAVING|LIMIT \d+|VALUES ?\(|UNION)\b/,
    1.5,
  ],
  [/^\s*(?:from \w+|left join|inner join|join \w+ on|where \w+ ?(?:=|<|>|in|is|like)|group by|order by)\b/, 1],
  [
    /^\s*(?:INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (?:OR REPLACE |UNIQUE |TEMP )?(?:TABLE|INDEX|VIEW|TRIGGER|FUNCTION|DATABASE)|ALTER TABLE|DROP TABLE|TRUNCATE|WITH \w+ AS ?\(|BEGIN TRANSACTION|COMMIT;|GRANT \w+)/i,
    3,
  ],
  [/\b(?:VARCHAR|INTEGER|PRIMARY KEY|NOT NULL|FOREIGN KEY|AUTO_INCREMENT|TIMESTAMP)\b/, 1],
];

const rust: Patterns = [
  [/^\s*(?:pub(?:\([\w ]+\))? )?(?:async |unsafe |const )*fn \w+(?:<[^>]*>)?\(/, 3],
  [/^\s*(?:pub )?(?:impl|trait|mod|enum|struct|use) [\w:<&'{*]+.*(?:\{|;|,|\()\s*$/, 1.5],
  [/\b(?:println|eprintln|vec|format|panic|assert_eq|assert|write|matches)!\s*[([]/, 2],
  [/^\s*let (?:mut )?\w+(?:: [^=]+)? = /, 1.5],
  [/\blet mut \w|&mut \w|&'?\w* ?str\b|\bOption<|\bResult<|\bSelf\b|\.unwrap\(\)|::new\(|\w+::\w+/, 0.5],
  [/^\s*#!?\[\w+/, 2],
  [/\) -> [\w&<(]/, 0.5],
  [/^\s*(?:match|if let|while let) .*\{\s*$/, 1],
];

const go: Patterns = [
  [/^package \w+\s*$/, 3],
  [/^func (?:\(\w+ \*?\w+\) )?\w+\(.*\{\s*(?:\/\/.*)?$/, 3],
  [/^import (?:\(|"[\w./-]+")\s*$/, 2],
  [/\w+ := |\bif err != nil \{|\bdefer \w|\bgo func\(|\bchan \w|\bmake\(/, 1.5],
  [/\bfmt\.\w+\(|\berrors\.\w+\(|\bcontext\.\w+/, 1],
  [/^type \w+ (?:struct|interface) \{/, 3],
];

const c: Patterns = [
  [/^\s*#\s*include\s+[<"][\w./+-]+[>"]/, 3],
  [/^\s*#\s*(?:define \w|ifdef|ifndef|endif|pragma|undef|if defined)/, 2],
  [
    /^\s*(?:static |extern |inline |const |unsigned |volatile )*(?:int|void|char|float|double|long|short|size_t|u?int\d+_t|bool|struct \w+)\s+\*?\w+\s*(?:\([^;]*\)\s*\{?|\[[^\]]*\]\s*=|=[^=>]*;|;)\s*(?:[/{].*)?$/,
    1.5,
  ],
  [/\b(?:printf|scanf|malloc|free|sizeof|memcpy|strlen|fprintf|strcmp)\s*\(/, 1],
  [/^\s*typedef |\bNULL\b|\w->\w/, 1],
  [/^\s*(?:template\s*<|namespace \w*\s*\{|using namespace |class \w+(?: :| \{|;)|(?:public|private|protected):)/, 3],
  [/\bstd::\w+|\b(?:cout|cerr) <<|\bnullptr\b|\b(?:static|dynamic|const|reinterpret)_cast</, 2],
];

const beyondC: Patterns = [
  [
    /\bstd::|\btemplate\s*<|\bnamespace \w*\s*\{|\busing namespace\b|\b(?:cout|cerr|cin)\s*[<>]{2}|\bnullptr\b|\b\w+_cast</,
    1,
  ],
  [
    /^\s*#\s*include\s+<(?:iostream|vector|string|map|set|memory|algorithm|utility|functional|array|optional|unordered_\w+|thread|mutex|fstream|sstream|chrono|type_traits|span|ranges|variant|tuple|cstd\w+|cmath)>/,
    1,
  ],
  [
    /^\s*(?:public|private|protected):\s*$|^\s*class \w+|\w+::~?\w+\(|\bvirtual \w|\boverride\b|\bconst auto\b|\bauto [&*]?\w+\s*[=:]/,
    1,
  ],
];

const csharp: Patterns = [
  [/^\s*(?:global )?using (?:static )?(?:System|Microsoft|[A-Z]\w+(?:\.[A-Z]\w+)+)[\w.]*;/, 3],
  [/^\s*namespace [A-Z][\w.]*\s*[;{]?\s*$/, 2],
  [
    /^\s*(?:public|private|protected|internal)(?: (?:static|sealed|abstract|partial|override|virtual|readonly|async|const|required))* (?:class|record|struct|interface|enum|void|string|int|bool|double|decimal|Task|[A-Z]\w*(?:<[^>]+>)?\??) \w+/,
    2,
  ],
  [/\{ get;(?: (?:private |init |internal )?(?:set|init);)? \}/, 3],
  [/\b(?:Console\.\w+|Math\.[A-Z]\w+|string\.\w+|List<|IEnumerable<|nameof\(|ToString\(\)|async Task)/, 1],
  [/^\s*\[[A-Z]\w*(?:\(.*\))?\]\s*$/, 1],
  [/^\s*(?:var|string|int|bool) \w+ = (?:new|await|\$"|[A-Z]\w+\.)/, 1.5],
];

/** Languages that the service cannot highlight; their patterns keep code from matching a related language. */
const text: Patterns = [
  [/^\s*import (?:static )?(?:java|javax|android|org|com|kotlin)\.[\w.*]+;?\s*$/, 5],
  [/^package [a-z][\w]*(?:\.\w+)+;?\s*$/, 5],
  [/\bSystem\.out\.|\bpublic static void main\(/, 4],
  [/^<\?php\b|^\s*\$\w+ = .*;\s*$/, 3],
  [/^\s*(?:fun|override fun|data class|val \w+ =|companion object)\b.*[{(=)]/, 3],
  [/^(?:diff --git|index [0-9a-f]{7,}\.\.|@@ -\d+,\d+ \+\d+)/, 5],
  [/^\[[\w. -]+\]\s*$/, 1.5],
];

export const PATTERNS = {
  markdown,
  beyondJavascript,
  beyondC,
  languages: { text, javascript, python, bash, css, sql, rust, go, c, csharp } satisfies Partial<
    Record<PasteLanguage, Patterns>
  >,
} as const;
