/** Parses a curl command of a document into a fetch request, so that tests of documents do not need curl. */
export function parseCurl(line: string): { url: string; init: { method: string; headers: Record<string, string>; body?: string } } {
  const words = [...line.replace(/\\\n/g, ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let url = '';
  let method = '';
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === '-H') {
      const [name = '', value = ''] = words[(at += 1)]!.split(/: (.*)/s);
      headers[name.toLowerCase()] = value;
    } else if (word === '-u') headers.authorization = `Basic ${Buffer.from(words[(at += 1)]!).toString('base64')}`;
    else if (word === '-d') data.push(words[(at += 1)]!);
    else if (word === '-X') method = words[(at += 1)]!;
    else if (!word.startsWith('-')) url = word;
  }
  if (data.length === 0) return { url, init: { method: method || 'GET', headers } };
  return {
    url,
    init: { method: method || 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: data.join('&') },
  };
}
