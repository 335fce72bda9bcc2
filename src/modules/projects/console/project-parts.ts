import type { PageContext } from '../../../api/console/page.js';
import { Problem } from '../../../kernel/problems.js';
import type { Project } from '../project.entity.js';
import type { Period } from './next-period.js';

/** The project for the next period, for what belongs to it. */
export interface NextProject {
  readonly id: string;
  readonly from: Project;
  readonly moved: (period: Period) => Period;
  readonly renamed: (name: string) => string;
}

/** What became of the parts of a project. */
export interface CopiedParts {
  readonly made: readonly string[];
  readonly kept: readonly string[];
  /** Names, each with what is wrong with it. */
  readonly refused: readonly string[];
}

/** A port: records of a project that the one for the next period needs as well. */
export abstract class ProjectParts {
  abstract readonly order: number;
  /** Such as `Categories`. */
  abstract readonly title: string;
  /** What the parts of a project are called. Throws if they are too many. */
  abstract names(ctx: PageContext, projectId: string): Promise<readonly string[]>;
  /** Makes them for the next one by their operation, each once. Those that it has stay as they are. */
  abstract copy(ctx: PageContext, next: NextProject): Promise<CopiedParts>;
}

/** How many parts of a kind are copied in one step. */
export const MAX_PARTS = 200;

/** `what` is their plural: "categories". */
export function requireFewParts<Row>(rows: readonly Row[], what: string): readonly Row[] {
  if (rows.length <= MAX_PARTS) return rows;
  throw new Problem('validation_failed', {
    detail: `The project has more than ${MAX_PARTS} ${what}. Programs can copy them with the API.`,
  });
}

interface Part {
  readonly name: string;
  readonly isThere?: boolean;
  readonly make: () => Promise<unknown>;
}

/** Makes parts one after another. One that is refused does not keep the others from being made. */
export async function copyEach(parts: readonly Part[]): Promise<CopiedParts> {
  const copied = { made: [] as string[], kept: [] as string[], refused: [] as string[] };
  for (const { name, isThere, make } of parts) {
    try {
      if (isThere) copied.kept.push(name);
      else {
        await make();
        copied.made.push(name);
      }
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      if (error.code === 'already_exists') copied.kept.push(name);
      else copied.refused.push(`${name}: ${error.detail}`);
    }
  }
  return copied;
}
