import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { isUuid } from '../../../kernel/ids.js';
import type { ClaimReportResultDto } from '../result.dto.js';

const IDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** A warning whose statements and category are links to them. Messages name statements by their ids, and begin with a code. */
export function WarningText({ ctx, result, message }: { ctx: PageContext; result: ClaimReportResultDto; message: string }) {
  const codes = new Set(result.categories.map(({ code }) => code));
  return (
    <>
      {message.split(IDS).map((part) => {
        if (isUuid(part)) return <a href={pathOf(ctx, 'statements', part)}>{part}</a>;
        return part
          .split(/(\s|[,:.](?=\s|$))/)
          .map((word) => (codes.has(word) ? <a href={`${pathOf(ctx, 'categories')}?search=${encodeURIComponent(word)}`}>{word}</a> : word));
      })}
    </>
  );
}
