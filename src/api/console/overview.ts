import type { PageContext } from './page.js';
import type { Panel } from './record-panel.js';

/** A port: a part of the first page of the console, such as the last runs. */
export abstract class OverviewPanel {
  /** Lower is higher up. */
  abstract readonly order: number;
  /** null: there is nothing to show. */
  abstract show(ctx: PageContext): Promise<Pick<Panel, 'body' | 'figures'> | null>;
}

/** A port: something that somebody new should do. The first page says which of these are done. */
export abstract class FirstStep {
  abstract readonly order: number;
  abstract readonly title: string;
  abstract readonly about: string;
  /** Below the environment: `projects/new`. */
  abstract readonly path: string;
  /** Whether this person in this organization can do it at all; without this method everybody can. */
  isFor?(ctx: PageContext): boolean;
  abstract isDone(ctx: PageContext): Promise<boolean>;
}
