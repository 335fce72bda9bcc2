import { roundly } from '../say.js';

export interface Bar {
  readonly label: string;
  /** What stands under the bar, if that is shorter. */
  readonly mark?: string;
  readonly parts: readonly { readonly tone: 'good' | 'bad' | 'plain'; readonly value: number }[];
}

/** Of the drawing: a bar has a slot of this width, which the browser stretches to what there is. */
const [SLOT, HEIGHT] = [100, 100];
const WIDEST_BAR = 0.12;
const INTERVALS = 4;
const MARK_MAX = 14;
/** How many characters have room under the bars. */
const ROOM = { desktop: 100, phone: 30 };

/** Bars side by side over an axis, as a drawing, and the same figures as a table for people who do not see it. */
interface BarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly legend?: readonly (readonly [tone: Bar['parts'][number]['tone'], label: string])[];
}

export function Bars({ title, bars, legend = [] }: BarsProps) {
  const ticks = ticksOf(Math.max(...bars.map(({ parts }) => sumOf(parts))));
  return (
    <figure class="chart">
      <figcaption>
        {title}
        {legend.map(([tone, label]) => (
          <span class={`legend ${tone}`}>{label}</span>
        ))}
      </figcaption>
      <div class="plot" aria-hidden="true">
        <div class="ticks">
          {ticks.toReversed().map((tick) => (
            <span>{roundly(tick)}</span>
          ))}
        </div>
        <Drawing bars={bars} ticks={ticks} />
        <Marks bars={bars} />
      </div>
      <div class="unseen">
        <table>
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
      </div>
    </figure>
  );
}

function Drawing({ bars, ticks }: { bars: readonly Bar[]; ticks: readonly number[] }) {
  const all = bars.length * SLOT;
  const width = Math.min(0.6 * SLOT, WIDEST_BAR * all);
  const lines = ticks.map((_tick, index) => `M0 ${(index / (ticks.length - 1)) * HEIGHT}H${all}`);
  return (
    <svg viewBox={`0 0 ${all} ${HEIGHT}`} preserveAspectRatio="none">
      <path d={lines.join('')} />
      {bars.flatMap(({ parts }, index) => {
        let top = HEIGHT;
        return parts.map(({ tone, value }) => {
          const height = (value / ticks.at(-1)!) * HEIGHT;
          top -= height;
          return <rect class={tone} x={(index + 0.5) * SLOT - width / 2} y={top} width={width} height={height} />;
        });
      })}
    </svg>
  );
}

/** Under the middle of each bar, or of every so many if not all have room; on a phone fewer have. */
function Marks({ bars }: { bars: readonly Bar[] }) {
  const marks = bars.map(({ label, mark = label }) => (mark.length > MARK_MAX ? `${mark.slice(0, MARK_MAX - 1)}…` : mark));
  const length = marks.length * (2 + Math.max(...marks.map((mark) => mark.length)));
  const hasRoom = (index: number, room: number): boolean => index % Math.ceil(length / room) === 0;
  return (
    <div class="labels">
      {marks.map((mark, index) => (
        <span class={hasRoom(index, ROOM.phone) ? undefined : 'wide'}>{hasRoom(index, ROOM.desktop) ? mark : ''}</span>
      ))}
    </div>
  );
}

/** Round numbers from zero to the next one above the highest value: few, at equal distances. */
function ticksOf(most: number): number[] {
  const rough = Math.max(1, most / INTERVALS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.ceil([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough)! * power);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_none, index) => index * step);
}

const sumOf = (parts: Bar['parts']): number => parts.reduce((sum, { value }) => sum + value, 0);
