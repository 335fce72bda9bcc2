/** Whether the Accept header of a request allows an answer in JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (!accept || accept === '*/*' || accept === 'application/json') return true;
  const ranges = new Map<string, boolean>();
  for (const entry of accept.split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    ranges.set(type, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)));
  }
  // The most specific range counts: `application/json;q=0, */*` accepts anything but JSON.
  for (const range of ['application/json', 'application/*', '*/*']) {
    const accepted = ranges.get(range);
    if (accepted !== undefined) return accepted;
  }
  return false;
}
