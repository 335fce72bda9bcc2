import { Assets } from '../../../api/console/assets.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain } from '../../../api/console/console-door.js';
import { say } from '../../../api/console/say.js';
import { ProjectsService } from '../../projects/index.js';
import { StatementLayoutsService } from '../layouts/statement-layouts.service.js';
import { type CheckedUpload, StatementUpload, UPLOAD_BOUNDS, type Uploaded } from './statement-upload.js';
import { saidOf, UploadForm } from './upload-form.js';

interface Outcome {
  readonly uploaded?: Uploaded;
  readonly checked?: readonly CheckedUpload[];
}

const SECTION = 'statements';

/** Where people upload statements. After the statements' own section, so that the navigation shows that one. */
@ConsoleSection({ path: `${SECTION}/new`, label: 'Upload statements', order: 3 })
export class UploadConsole {
  constructor(
    private readonly projects: ProjectsService,
    private readonly layouts: StatementLayoutsService,
    private readonly uploads: StatementUpload,
    private readonly assets: Assets,
  ) {}

  @Page({ route: 'GET /', operation: 'bank_statements.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.form(ctx, formOf({ projectId: ctx.query.get('projectId') ?? '' }));
  }

  @Action({ route: 'POST /', operation: 'bank_statements.create', takesFiles: UPLOAD_BOUNDS })
  upload(@PageCtx() ctx: PageContext): Promise<Answer> {
    const upload = async (): Promise<Answer> => {
      const uploaded = await this.uploads.upload(ctx);
      const { imported, known, refused } = uploaded;
      if (refused.length > 0) return this.form(ctx, { values: (name) => ctx.form.list(name) }, { uploaded });
      const [only, ...others] = [...imported, ...known];
      return goTo(others.length === 0 ? pathOf(ctx, SECTION, only!.id) : pathOf(ctx, SECTION), saidOf(uploaded));
    };
    return orAgain(ctx, upload, (state) => this.form(ctx, state));
  }

  @Action({ route: 'POST /check', operation: 'bank_statements.check', takesFiles: UPLOAD_BOUNDS })
  check(@PageCtx() ctx: PageContext): Promise<Answer> {
    const values: FormState = { values: (name) => ctx.form.list(name) };
    return orAgain(
      ctx,
      async () => this.form(ctx, values, { checked: await this.uploads.check(ctx) }),
      (state) => this.form(ctx, state),
    );
  }

  private async form(ctx: PageContext, state: FormState, { uploaded, checked }: Outcome = {}): Promise<Answer> {
    const [projects, layouts] = await Promise.all([this.projects.choices(ctx), this.layouts.choices(ctx)]);
    const props = { ctx, state, uploaded, checked, projects, layouts, script: this.assets.pathOf('upload.js') };
    return page(say('console.statements.upload'), <UploadForm {...props} />, uploaded ? 400 : state.problem?.status);
  }
}
