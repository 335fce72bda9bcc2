import axe from 'axe-core';
import type { Page } from 'playwright-core';

const LEAST_PASSED = 10;

/**
 * What axe finds on a page, by its rules and best practices: the rule, and the elements. Of what is right it notes one example: to describe
 * all of it would take most of its time.
 */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<axe.AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  if (passes.length <= LEAST_PASSED) return [`${page.url()}: only ${passes.length} rules were asked`];
  return violations.map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes.map(({ html }) => html).join(' ')}`);
}
