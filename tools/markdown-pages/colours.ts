const QUOTED = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
/** The values in a template can have templates, and those none. */
const TEMPLATE = '`(?:\\\\[^]|\\$\\{(?:[^{}`]|`[^`]*`|\\{[^{}]*\\})*\\}|\\$(?!\\{)|[^`\\\\$])*`';
const NUMBER = String.raw`(?<![\w.-])\d[\d_]*(?:\.\d+)?(?![\w-])`;
const HASH = String.raw`(?<!\S)#.*`;
const KEYS = String.raw`"(?:\\.|[^"\\\n])*"(?=\s*:)|^[ \t]*(?:- )?[\w.-]+(?=\s*[:=])|^\[.*\]$|^[A-Z]+(?= \/)|\b(?:true|false|null)\b`;
/** Neither a property nor a part of a longer word. */
const words = (list: string): string => String.raw`(?<![\w$.-])(?:${list.replaceAll(' ', '|')})(?![\w-]|\s*:)`;
// Of several languages: it is colours that pages need, not a compiler.
const WORDS = words(
  'as async await break case catch class const def default delete elif else end except export extends false False finally for from func ' +
    'function if implements import in interface let new nil None not null of package private raise readonly require rescue return ' +
    'static switch this throw true True try type typeof undefined while with yield',
);
const SHELL_WORDS = words('case do done elif else esac export fi for function if in return then while');
const grammar = (c: string, k: string, s: string, n = NUMBER): RegExp => new RegExp(`(${c})|(${k})|(${s})|(${n})`, 'm');
const GRAMMARS = [
  ['js ts go php', grammar(String.raw`\/\/.*|\/\*[^]*?\*\/`, WORDS, `${TEMPLATE}|${QUOTED}`)],
  ['python ruby', grammar(HASH, WORDS, QUOTED)],
  ['json yaml toml ini http', grammar(String.raw`(?<!\S)[#;].*`, KEYS, QUOTED)],
  ['sh', grammar(HASH, SHELL_WORDS, String.raw`"(?:\\[^]|[^"\\])*"|'[^']*'`, String.raw`\$\w+|\$\{[^}]*\}`)],
  ['sql', grammar('--.*', String.raw`\b[A-Z]{2,}\b`, "'[^']*'")],
] as const;

/** Code in pieces, which together are the code: comments (c), keywords and names (k), strings (s), numbers (n), and what is between. */
export function coloured(code: string, language: string): [kind: string, text: string][] {
  const [, signs = /(?!)/] = GRAMMARS.find(([names]) => names.split(' ').includes(language)) ?? [];
  // Between two pieces, `split` returns the four groups, of which one has matched.
  return code.split(signs).flatMap((text: string | undefined, at) => (text ? [[['', 'c', 'k', 's', 'n'][at % 5]!, text]] : []));
}
