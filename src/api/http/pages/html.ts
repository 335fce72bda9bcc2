/** HTML that may stand in a page as it is. Only `html` makes it. */
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

/** A part of a page. Texts within it are escaped, for places between tags and in attributes with quotes around them. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => `${part}${index < values.length ? written(values[index]!) : ''}`).join(''));
}
