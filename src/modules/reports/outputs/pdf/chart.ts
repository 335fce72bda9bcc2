import { COLOURS, type Paper } from './paper.js';

export interface Bar {
  readonly label: string;
  readonly value: number;
}

const HEIGHT = 90;
const AXIS_WIDTH = 56;
const LABEL_WIDTH = 60;
const LABEL_HEIGHT = 16;
const MAX_LABELS = 9;
const QUIET = { size: 6.5, colour: COLOURS.quiet };

interface BarStyle {
  readonly format: (value: number) => string;
  /** Says what the chart shows, for readers who cannot see it. */
  readonly about: string;
}

/** Draws bars above a baseline, or below it for negative values, with grid lines at round values. */
export function drawBars(paper: Paper, bars: readonly Bar[], { format, about }: BarStyle): void {
  paper.needRoom(HEIGHT + LABEL_HEIGHT);
  const top = paper.y;
  const values = bars.map(({ value }) => value);
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values));
  const [lowest, highest] = [ticks[0]!, ticks.at(-1)!];
  const heightOf = (value: number) => top + (HEIGHT * (highest - value)) / (highest - lowest);
  const draw = () => {
    for (const tick of ticks) {
      paper.drawRule(heightOf(tick), tick === 0 ? COLOURS.quiet : COLOURS.line);
      paper.draw(format(tick), heightOf(tick) + 2, QUIET);
    }
    const step = (paper.width - AXIS_WIDTH) / bars.length;
    bars.forEach((bar, index) => drawBar(paper, bar, { middle: paper.left + AXIS_WIDTH + (index + 0.5) * step, step, heightOf }));
    const every = Math.ceil(bars.length / MAX_LABELS);
    bars.forEach(({ label }, index) => {
      const x = paper.left + AXIS_WIDTH + (index + 0.5) * step - LABEL_WIDTH / 2;
      if (index % every === 0) paper.draw(label, top + HEIGHT + 5, { ...QUIET, x, width: LABEL_WIDTH, align: 'center' });
    });
  };
  const bbox: [number, number, number, number] = [paper.left, top, paper.left + paper.width, top + HEIGHT + LABEL_HEIGHT];
  paper.inside('Figure', () => paper.mark(draw), { alt: about, bbox });
  paper.y = top + HEIGHT + LABEL_HEIGHT;
}

interface BarPlace {
  readonly middle: number;
  readonly step: number;
  readonly heightOf: (value: number) => number;
}

function drawBar({ document }: Paper, { value }: Bar, { middle, step, heightOf }: BarPlace): void {
  const width = Math.min(step * 0.64, 40);
  const [from, to] = [heightOf(Math.max(value, 0)), heightOf(Math.min(value, 0))];
  document.rect(middle - width / 2, from, width, to - from).fill(value < 0 ? COLOURS.negative : COLOURS.accent);
}

/** Round values that enclose both: about four steps of 1, 2 or 5 times a power of ten. */
export function ticksOf(lowest: number, highest: number): number[] {
  const rough = (highest - lowest) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((times) => times * power >= rough)!;
  const [first, last] = [Math.floor(lowest / step), Math.max(1, Math.ceil(highest / step))];
  return Array.from({ length: last - first + 1 }, (_value, index) => (first + index) * step);
}
