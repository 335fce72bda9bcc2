import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import { entityColumns } from '../../../store/database/sql.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { COUNTED_AT_MOST, type PageOf } from '../../../store/tenant/page.js';
import { prepared } from '../../../store/database/prepared-statements.js';
import { ofProjects, TENANT, tenantOf, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { RunDecision } from '../engine/inputs.js';
import type { ClaimReport } from '../report.entity.js';
import { ClaimLine, ClaimLineDecision } from './claim-line.entity.js';
import { type ClaimLineDecisionDto, type ClaimLineDto, type ListClaimLinesQuery, MAX_HISTORY } from './claim-lines.dto.js';
import { type PackedLines, unpacked } from './listed-lines.js';

/** One transaction about the same after the other. */
const QUEUE_UP = prepared({ name: 'claim_lines.queue_up', text: "SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))" });
const LINE_COLUMNS = entityColumns(ClaimLine).columns.filter(({ property }) => property !== 'organizationId');
const OF_RUN = ['environment', 'createdAt', 'reportId'];
const OF_LIST = LINE_COLUMNS.filter(({ property }) => !OF_RUN.includes(property));
const INSERT = tenantSql(
  'claim_lines.insert',
  `INSERT INTO claim_lines (organization_id, environment, created_at, report_id, ${OF_LIST.map(({ column }) => column).join(', ')})
    SELECT :organizationId, :environment, :at, :reportId, listed.*
      FROM json_to_recordset(:lines::json) AS listed (${OF_LIST.map(({ property, type }) => `"${property}" ${type}`).join(', ')})`,
);
const OF_RUN_READ = 'Of a run that was read before.';
const OF_LINES_READ = 'Of lines that were read before.';
const OF_CLAIM =
  `project_id IS NOT DISTINCT FROM :projectId AND report_configuration_id IS NOT DISTINCT FROM :reportConfigurationId` as const;
const HAS_LATER = tenantSql(
  'claim_lines.has_later_run',
  `SELECT 1 FROM claim_reports WHERE ${TENANT} AND id > :reportId AND status = 'succeeded' AND ${OF_CLAIM} LIMIT 1`,
  OF_RUN_READ,
);
const REMOVE_EARLIER = tenantSql(
  'claim_lines.remove_earlier',
  `DELETE FROM claim_lines WHERE ${TENANT} AND report_id IN (
      SELECT id FROM claim_reports WHERE ${TENANT} AND id <> :reportId AND status = 'succeeded' AND ${OF_CLAIM})`,
);

/** Of the runs of a project and configuration, the one whose lines are kept. */
const RUN_WITH_LINES = tenantSql(
  'claim_lines.run_with_lines',
  `SELECT id FROM claim_reports report WHERE ${tenantOf('report')} AND status = 'succeeded' AND ${OF_CLAIM}
      AND EXISTS (SELECT FROM claim_lines line WHERE line.report_id = report.id AND ${tenantOf('line')})
    ORDER BY id DESC LIMIT 1`,
  OF_RUN_READ,
);

/** Whether there is a decision, and it does not leave the line to rules. */
const STANDS = "(decision.outcome IS NOT NULL AND decision.outcome <> 'by_rules')";
/** A line with its texts, and with the decision that holds now. */
const DECISION = `json_build_object('id', decision.id, 'outcome', decision.outcome, 'parts', decision.parts, 'reason', decision.reason,
  'note', decision.note, 'by', json_build_object('type', decision.actor_type, 'id', decision.actor_id, 'name', decision.actor_name),
  'decidedAt', decision.decided_at)`;
const SHOWN = `${LINE_COLUMNS.map(({ property, column }) => `line.${column} AS "${property}"`).join(', ')},
  said.description, said.counterparty, said.reference,
  greatest(decision.decided_at, line.created_at) AS "updatedAt",
  CASE WHEN ${STANDS} THEN ${DECISION} END AS decision,
  line.decision_id IS NOT DISTINCT FROM CASE WHEN ${STANDS} THEN decision.id END AS "isApplied"`;
const FROM = `FROM claim_lines line
    LEFT JOIN claim_line_decisions decision ON decision.organization_id = line.organization_id
      AND decision.environment = line.environment AND decision.fingerprint = line.fingerprint
      AND decision.occurrence = line.occurrence AND decision.replaced_at IS NULL
    LEFT JOIN statement_lines said ON said.statement_id = line.statement_id AND said.line_number = line.line_number
      AND said.organization_id = line.organization_id`;
const WANTED = `line.report_id = :reportId AND (:before::uuid IS NULL OR line.id < :before)
    AND (:outcome::text IS NULL OR line.outcome = :outcome) AND (:categoryId::uuid IS NULL OR line.category_id = :categoryId)
    AND (:statementId::uuid IS NULL OR line.statement_id = :statementId) AND (:amount::numeric IS NULL OR line.amount = :amount)
    AND (:decided::boolean IS NULL OR ${STANDS} = :decided)
    AND (:counterparty::text IS NULL OR said.counterparty = :counterparty)` as const;
const PAGE = tenantSql(
  'claim_lines.page',
  `WITH page AS (
      SELECT ${SHOWN} ${FROM} WHERE ${tenantOf('line')} AND ${WANTED} ORDER BY line.id DESC LIMIT :size::int OFFSET :offset::bigint
    ), counted AS (
      SELECT count(*)::int AS total FROM (
        SELECT 1 ${FROM} WHERE ${tenantOf('line')} AND ${WANTED} LIMIT ${COUNTED_AT_MOST + 1}) AS all_of_them
    ) SELECT page.*, counted.total FROM counted LEFT JOIN page ON true ORDER BY page.id DESC`,
  OF_RUN_READ,
);
const PROJECT =
  '(SELECT run.project_id FROM claim_reports run WHERE run.id = line.report_id AND run.organization_id = line.organization_id)';
const OF_IDS = tenantSql(
  'claim_lines.of_ids',
  `SELECT ${SHOWN} ${FROM} WHERE ${tenantOf('line')} AND line.id = ANY (:ids::uuid[])${ofProjects(PROJECT)}`,
);
const HISTORY = tenantSql(
  'claim_line_decisions.history',
  `SELECT ${DECISION} AS decision FROM claim_line_decisions decision
    WHERE ${tenantOf('decision')} AND decision.fingerprint = :fingerprint AND decision.occurrence = :occurrence
    ORDER BY decision.id DESC LIMIT ${MAX_HISTORY}`,
  OF_LINES_READ,
);

const REPLACE = tenantSql(
  'claim_line_decisions.replace',
  `UPDATE claim_line_decisions SET replaced_at = :now WHERE ${TENANT} AND replaced_at IS NULL
    AND (fingerprint, occurrence) IN (SELECT * FROM unnest(:fingerprints::text[], :occurrences::int[]))`,
  OF_LINES_READ,
);
const DECIDED = entityColumns(ClaimLineDecision).columns.filter(({ property }) => !['organizationId', 'environment'].includes(property));
const DECIDE = tenantSql(
  'claim_line_decisions.insert',
  `INSERT INTO claim_line_decisions (organization_id, environment, ${DECIDED.map(({ column }) => column).join(', ')})
    SELECT :organizationId, :environment, decided.*
      FROM json_to_recordset(:decisions::json) AS decided (${DECIDED.map(({ property, type }) => `"${property}" ${type}`).join(', ')})`,
  OF_LINES_READ,
);
const HAS_ANY = tenantSql('claim_line_decisions.any', `SELECT 1 FROM claim_line_decisions WHERE ${TENANT} AND replaced_at IS NULL LIMIT 1`);
const OF_STATEMENTS = tenantSql(
  'claim_line_decisions.of_statements',
  `SELECT id, fingerprint, occurrence, parts, actor_name AS by, decided_at AS at, reason FROM claim_line_decisions decision
    WHERE ${tenantOf('decision')} AND replaced_at IS NULL AND outcome <> 'by_rules' AND EXISTS (
      SELECT 1 FROM statement_lines said WHERE said.organization_id = decision.organization_id
        AND said.statement_id = ANY (:statementIds::uuid[]) AND said.fingerprint = decision.fingerprint)
    ORDER BY fingerprint, occurrence LIMIT :limit::int`,
);

/** A line, with what only decisions need of it. */
export type ReadLine = ClaimLineDto & Pick<ClaimLine, 'fingerprint' | 'occurrence'>;
export type NewDecision = Omit<ClaimLineDecision, 'organizationId' | 'environment'>;

/** JSON of Postgres writes times in another way. */
function timed<Row extends { readonly decision: ClaimLineDecisionDto | null }>(row: Row): Row {
  const { decision } = row;
  return decision ? { ...row, decision: { ...decision, decidedAt: new Date(decision.decidedAt).toISOString() } } : row;
}

/** The lines of runs, and the decisions about them. */
@Injectable()
export class ClaimLinesRepository {
  constructor(private readonly database: Database) {}

  /** Keeps the lines of a run instead of those of earlier runs of its project and configuration, unless a later one has ended. */
  async keep(
    ctx: WriteContext,
    run: Pick<ClaimReport, 'id' | 'projectId' | 'reportConfigurationId' | 'startedAt'>,
    lines: PackedLines,
  ): Promise<void> {
    const { id: reportId, projectId, reportConfigurationId } = run;
    const tenant = `${ctx.organizationId} ${ctx.environment}`;
    const claim = { reportId, projectId, reportConfigurationId };
    await this.database.rows(QUEUE_UP, ['claim_lines', `${tenant} ${projectId} ${reportConfigurationId}`], ctx.unit);
    if ((await this.database.rows(...HAS_LATER.bind(ctx, claim), ctx.unit)).length > 0) return;
    await this.database.rows(...REMOVE_EARLIER.bind(ctx, claim), ctx.unit);
    for (const part of unpacked(lines ?? [], run.startedAt!))
      await this.database.rows(...INSERT.bind(ctx, { reportId, at: run.startedAt, lines: JSON.stringify(part) }), ctx.unit);
  }

  async findRunWithLines(ctx: ReadContext, run: Pick<ClaimReport, 'projectId' | 'reportConfigurationId'>): Promise<string | undefined> {
    const { projectId, reportConfigurationId } = run;
    return (await this.database.rows<{ id: string }>(...RUN_WITH_LINES.bind(ctx, { projectId, reportConfigurationId })))[0]?.id;
  }

  async page(ctx: ReadContext, reportId: string, query: ListClaimLinesQuery): Promise<PageOf<ReadLine>> {
    const { page, page_size, before = null, outcome = null, decided = null, amount = null, counterparty = null } = query;
    const size = page_size + 1;
    const offset = (BigInt(page - 1) * BigInt(page_size)).toString();
    const ids = { categoryId: query.category_id ?? null, statementId: query.statement_id ?? null };
    const wanted = { reportId, before, outcome, decided, amount, counterparty, size, offset, ...ids };
    const found = await this.database.rows<ReadLine & { total: number }>(...PAGE.bind(ctx, wanted));
    const { total } = found[0]!;
    // A page past the end is one row with nothing but the count.
    const rows = found[0]!.id === null ? [] : found;
    const isOver = total > COUNTED_AT_MOST;
    return {
      rows: rows.slice(0, page_size).map(timed),
      total: isOver ? COUNTED_AT_MOST : total,
      totalRelation: isOver ? 'at_least' : 'exact',
      hasMore: rows.length > page_size,
    };
  }

  async ofIds(ctx: ReadContext, ids: readonly string[]): Promise<ReadLine[]> {
    return (await this.database.rows<ReadLine>(...OF_IDS.bind(ctx, { ids }), ctx.unit)).map(timed);
  }

  /** What was decided about a line, the newest first. */
  async history(
    ctx: ReadContext,
    { fingerprint, occurrence }: Pick<ReadLine, 'fingerprint' | 'occurrence'>,
  ): Promise<ClaimLineDecisionDto[]> {
    const rows = await this.database.rows<{ decision: ClaimLineDecisionDto }>(...HISTORY.bind(ctx, { fingerprint, occurrence }));
    return rows.map((row) => timed(row).decision);
  }

  /** In the place of those that hold now. One after the other: of two about one line, the later one holds. */
  async decide(ctx: WriteContext, decisions: readonly NewDecision[]): Promise<void> {
    await this.database.rows(QUEUE_UP, ['claim_line_decisions', `${ctx.organizationId} ${ctx.environment}`], ctx.unit);
    const about = { fingerprints: decisions.map((one) => one.fingerprint), occurrences: decisions.map((one) => one.occurrence) };
    await this.database.rows(...REPLACE.bind(ctx, { now: decisions[0]!.decidedAt, ...about }), ctx.unit);
    await this.database.rows(...DECIDE.bind(ctx, { decisions: JSON.stringify(decisions) }), ctx.unit);
  }

  /** Those that hold now for lines of the statements. Most organizations have none, so the lines are not looked at for them. */
  async ofStatements(tenant: Tenant, statementIds: readonly string[], limit: number): Promise<RunDecision[]> {
    if ((await this.database.rows(...HAS_ANY.bind(tenant, {}))).length === 0) return [];
    return this.database.rows<RunDecision>(...OF_STATEMENTS.bind(tenant, { statementIds, limit }));
  }
}
