/** Whether an Accept header lets us answer with JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (!accept || accept === '*/*' || accept === 'application/json') return true;
  const ranges = new Map<string, boolean>();
  for (const entry of accept.split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    ranges.set(type, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)));
  }
  // What is said most precisely counts: `application/json;q=0, */*` is anything but JSON.
  for (const range of ['application/json', 'application/*', '*/*']) {
    const accepted = ranges.get(range);
    if (accepted !== undefined) return accepted;
  }
  return false;
}
