import { costOf, cut, type Cuts, CUTS_MAX, firstThatFit, LEAST, noteList, visibleText } from '../../../../tools/text-for-models/index.js';

type Members = Readonly<Record<string, unknown>>;

/** What the data of an answer may cost a model that did not ask for more: 6,000 tokens with the words before it. */
const TOKENS_MAX = 5_700;
/** What each row may cost of a list that is too long. */
const ROW_MAX = 500;

/** A token has a byte at least, so most answers need no counting. */
const fits = (json: string): boolean => Buffer.byteLength(visibleText(json)) <= TOKENS_MAX || costOf(json) <= TOKENS_MAX;

export interface Fitted {
  readonly content: Members;
  /** How to get the rest, in a sentence of ours. */
  readonly advice?: string;
}

const DATA_MAX = TOKENS_MAX - LEAST * CUTS_MAX;

/** The data of an answer within its bound. `whole` is the same data before fields were left out. `isSized`: so many rows were asked for. */
export function fitted(content: Members, whole: Members, { isSized = false, isPaged = false, picks = false } = {}): Fitted {
  if (fits(JSON.stringify(content))) return { content };
  const cuts: Cuts = {};
  const rest = picks ? 'Give the names of `fields` to have them whole.' : 'The tool that gets one record has it whole.';
  const shortened = (kept: Members, next = ''): Fitted =>
    Object.keys(cuts).length === 0
      ? { content: kept, advice: next }
      : { content: { shortened: cuts, ...kept }, advice: `Shortened: \`shortened\` says where. ${rest}${next && ` ${next}`}` };
  if (!Array.isArray(content.data)) return shortened(cut(content, DATA_MAX, [], cuts) as Members);
  const most = isPaged ? ROW_MAX : Math.max(TOKENS_MAX / content.data.length, LEAST);
  const rows = content.data.map((row) => cut(row, most, ['data'], cuts));
  const kept = isSized ? rows : firstThatFit(rows, DATA_MAX);
  if (kept.length === rows.length) return shortened({ ...content, data: rows });
  if (!isPaged) return shortened({ ...content, data: noteList(kept, rows, ['data'], cuts) });
  const page = pageOf({ ...content, data: rows }, whole, kept.length);
  const { pagination: at } = page as { pagination?: Pagination };
  return shortened(page, `Next: ${at ? `page ${at.page + 1} with page_size ${at.pageSize}` : 'the cursor in `nextCursor`'}.`);
}

interface Pagination {
  readonly page: number;
  readonly pageSize: number;
}

/** The smaller page that the API would have answered with: the rows before it must be a whole number of such pages. */
function pageOf(content: Members, whole: Members, most: number): Members {
  const pagination = content.pagination as Pagination | undefined;
  const before = pagination ? (pagination.page - 1) * pagination.pageSize : 0;
  let size = Math.max(most, 1);
  while (before % size !== 0) size -= 1;
  const { createdAt, id } = (whole.data as readonly Members[])[size - 1]!;
  return {
    ...content,
    data: (content.data as readonly unknown[]).slice(0, size),
    ...(pagination && { pagination: { ...pagination, page: before / size + 1, pageSize: size, hasMore: true } }),
    ...('nextCursor' in content && { nextCursor: { cursorCreatedAt: createdAt, cursorId: id }, hasMore: true }),
  };
}
