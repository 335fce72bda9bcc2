/** One number of the metrics, with the labels that it has. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the text format of Prometheus. */
export function samplesOf(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels = '', value] = /^([a-zA-Z_:]\w*)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label!, text!]);
    return { name: name!, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
  });
}

export async function samplesAt(address: string): Promise<Sample[]> {
  const answer = await fetch(`${address}/metrics`);
  return samplesOf(await answer.text());
}

/** The value of the series with these labels, whatever others it has; undefined where there is none. */
export function valueOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  const entries = Object.entries(labels);
  return samples.find((sample) => sample.name === name && entries.every(([label, value]) => sample.labels[label] === value))?.value;
}
