/** Safe HTML. Only the `html` tag makes it. */
class Html {
  constructor(readonly text: string) {}
}
export type { Html };

type Value = Html | string | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function written(value: Value): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
}

/** Makes HTML. Strings are escaped, for use between tags and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => `${part}${index < values.length ? written(values[index]!) : ''}`).join(''));
}
