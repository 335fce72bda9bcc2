/** A curl line of a document as the request it makes, so that documents can be tried where there is no curl. */
export function parseCurl(line: string): { url: string; init: { method: string; headers: Record<string, string>; body?: string } } {
  const words = [...line.replace(/\\\n/g, ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
  const headers: Record<string, string> = {};
  let url = '';
  let method = '';
  let body: string | undefined;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === '-H') {
      const [name = '', value = ''] = words[(at += 1)]!.split(/: (.*)/s);
      headers[name] = value;
    } else if (word === '-d') body = words[(at += 1)];
    else if (word === '-X') method = words[(at += 1)]!;
    else if (!word.startsWith('-')) url = word;
  }
  return { url, init: { method: method || (body === undefined ? 'GET' : 'POST'), headers, ...(body !== undefined && { body }) } };
}
