import type { Page } from 'playwright-core';

/** The widest that a cell of a table becomes for one word, without its padding. */
const WIDEST_WORD_PX = 24 * 16 - 26;
/** What may be between the end of a page's content and the end of the page. */
const MARGIN_PX = 64;

/**
 * Words in cells of tables that are broken although they have room in a line. A line may end at a hyphen or a slash, but not within a day,
 * a file name or a code.
 */
export async function brokenWords(page: Page): Promise<string[]> {
  const words = await page.evaluate<string[]>(`[...document.querySelectorAll('td, th')].flatMap((cell) => {
    if (cell.closest('.unseen')) return [];
    const { display, paddingLeft, paddingRight } = getComputedStyle(cell);
    const inner = (cell.clientWidth || cell.parentElement.clientWidth) - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const room = display === 'table-cell' ? ${WIDEST_WORD_PX} : inner;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\d{4}-\\d\\d-\\d\\d|[\\p{L}\\p{N}_.:@]+/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
        const width = lines.reduce((sum, line) => sum + line.width, 0);
        if (new Set(lines.map(({ top }) => Math.round(top))).size > 1 && width <= room) found.push(word);
      }
    }
    return found;
  })`);
  return words.map((word) => `${page.url()}: "${word}" is broken`);
}

/** Whether a page can be scrolled to where it has nothing. */
export async function emptyEnd(page: Page): Promise<string[]> {
  const [end, content] = await page.evaluate<[number, number]>(`(() => {
    const parts = [...document.querySelectorAll('header, nav, main')];
    const bottoms = parts.map((part) => part.getBoundingClientRect().bottom);
    return [document.documentElement.scrollHeight, scrollY + Math.max(innerHeight, ...bottoms)];
  })()`);
  return end > content + MARGIN_PX ? [`${page.url()}: ${end} px high, of which ${content} have something`] : [];
}

/** WCAG 2.2, 2.5.8: what is pressed is at least this wide and high. Links in running text are excepted. */
const LEAST_TARGET_PX = 24;

/** Buttons, fields and links of menus that are too small for a finger. */
export async function smallTargets(page: Page): Promise<string[]> {
  const targets = 'button, .button, summary, select, input:not([type=hidden], [type=checkbox], [type=radio]), nav a, .title a';
  const small = await page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(targets)})].flatMap((target) => {
    const { width, height } = target.getBoundingClientRect();
    const isLarge = width >= ${LEAST_TARGET_PX} && height >= ${LEAST_TARGET_PX};
    if (isLarge || !target.checkVisibility() || target.closest('.unseen, .skip, .pager, .crumbs, .languages')) return [];
    return [target.outerHTML.slice(0, 120) + ' ' + width + ' × ' + height];
  })`);
  return small.map((target) => `${page.url()}: too small: ${target}`);
}

/** A page at 400 % on a screen of 1280 px. */
const NARROWEST_PX = 320;

/** WCAG 2.2, 1.4.10: nothing has to be moved sideways, however large the text is. */
export async function doesNotReflow(page: Page): Promise<string[]> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: NARROWEST_PX, height: size.height });
  const content = await page.evaluate<number>('document.documentElement.scrollWidth');
  await page.setViewportSize(size);
  return content > NARROWEST_PX ? [`${page.url()}: ${content} px wide in ${NARROWEST_PX}`] : [];
}

/** Of a field with several lines, the first ones are in view: browsers scroll to where one writes. */
const IN_VIEW_PX = 44;

/**
 * WCAG 2.2, 2.4.11: what has the focus is not below the foot of a form, which stays in view. Goes through all that can have the focus, from
 * the first to the last and back, as Tab does.
 */
export async function obscuredFocus(page: Page): Promise<string[]> {
  const covered = await page.evaluate<string[]>(`[...document.querySelectorAll('.fields > .buttons:last-child')].flatMap((foot) => {
    const targets = [...foot.closest('form').querySelectorAll('input:not([type=hidden]), select, textarea, button, summary, a')];
    const own = targets.filter((target) => target.tabIndex >= 0 && target.checkVisibility() && !foot.contains(target));
    return [...own, ...own.toReversed()].flatMap((target) => {
      document.activeElement.blur();
      target.focus();
      const { top, height } = target.getBoundingClientRect();
      const shown = foot.getBoundingClientRect().top - top;
      return shown < Math.min(height, ${IN_VIEW_PX}) - 1 ? [target.outerHTML.slice(0, 80) + ': ' + shown + ' of ' + height + ' px'] : [];
    });
  })`);
  return [...new Set(covered)].map((one) => `${page.url()}: below the foot: ${one}`);
}
