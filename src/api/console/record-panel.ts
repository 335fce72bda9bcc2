import type { ComponentChild } from 'preact';
import type { PageContext } from './page.js';
import type { Figure } from './parts/facts.js';

/** What a module shows of a record of another one. */
export interface Panel {
  readonly body?: ComponentChild;
  /** For the band above all parts, the one that matters most first. */
  readonly figures?: readonly Figure[];
  /** What somebody does first, as long as this part is lacking. */
  readonly next?: NextStep;
}

export interface NextStep {
  /** Of what is lacking, the lowest comes first. */
  readonly step: number;
  readonly about: string;
  readonly label: string;
  readonly to: string;
}

/** A port: a part of the page of a record of another module, such as the reports of a project. */
export abstract class RecordPanel {
  /** The section of the record: `projects`. */
  abstract readonly of: string;
  /** Lower is higher up. */
  abstract readonly order: number;
  /** null: there is nothing to show. */
  abstract show(ctx: PageContext, id: string): Promise<Panel | null>;
}
