/** A bar, with what it stands for. */
export interface Bar {
  readonly label: string;
  readonly parts: readonly { readonly tone: 'good' | 'bad' | 'plain'; readonly value: number }[];
}

const [WIDTH, HEIGHT, GAP] = [600, 120, 2];

/** Bars side by side, as a drawing, and the same figures as a table for people who do not see it. */
export function Bars({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ parts }) => sumOf(parts)));
  const width = WIDTH / Math.max(1, bars.length);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {bars.flatMap(({ parts }, index) => {
          let top = HEIGHT;
          return parts.map(({ tone, value }) => {
            const height = (value / most) * HEIGHT;
            top -= height;
            return <rect class={tone} x={index * width} y={top} width={Math.max(1, width - GAP)} height={height} />;
          });
        })}
      </svg>
      <p class="ends" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
      <table class="unseen">
        <caption>{title}</caption>
        <tbody>
          {bars.map(({ label, parts }) => (
            <tr>
              <th scope="row">{label}</th>
              <td>{sumOf(parts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

const sumOf = (parts: Bar['parts']): number => parts.reduce((sum, { value }) => sum + value, 0);
