import { formOf } from '../../../api/console/page.js';
import type { Page } from '../../../api/http/pages/page.js';
import { Badge, Note } from '../../../api/console/parts/facts.js';
import { FileField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { say, wordingNow } from '../../../api/console/say.js';
import { type FileOutcome, uploadHint, ACCEPTED, Reason } from '../console/upload.console.js';
import { type OpenLink, UPLOADS_PATH } from './upload-links.service.js';

const pageOf = (title: string, body: Page['body']): Page => ({ title, language: wordingNow().language, body });
const titleOf = ({ organization }: OpenLink): string => say('upload.title', { organization: organization.name });

export function uploadPage(open: OpenLink, token: string, hasNoFile = false): Page {
  const { link, organization } = open;
  const body = (
    <>
      <p>{say('upload.asks', { organization: organization.name })}</p>
      {link.note === '' ? null : <blockquote>{link.note}</blockquote>}
      <Forms open={open} token={token} hasNoFile={hasNoFile} />
    </>
  );
  return { ...pageOf(titleOf(open), body), offersLanguages: true };
}

interface Outcomes {
  readonly token: string;
  /** The link as it is afterwards, if it is still open. */
  readonly still: OpenLink | undefined;
}

export const outcomePage = (open: OpenLink, outcomes: readonly FileOutcome[], { token, still }: Outcomes): Page =>
  pageOf(
    titleOf(open),
    <>
      <Table
        caption={say('upload.outcomes')}
        rows={outcomes}
        empty={null}
        columns={[
          [say('upload.file'), ({ name }) => name || say('upload.nameless')],
          [say('upload.result'), (outcome) => <Outcome outcome={outcome} />],
        ]}
      />
      {still ? (
        <>
          <h2>{say('upload.more')}</h2>
          <Forms open={still} token={token} />
        </>
      ) : (
        <Note tone="notice">{say('upload.done', { organization: open.organization.name })}</Note>
      )}
    </>,
  );

function Outcome({ outcome }: { outcome: FileOutcome }) {
  if ('refused' in outcome)
    return (
      <>
        <Badge tone="bad">{say('upload.notTaken')}</Badge> <Reason of={outcome} />
      </>
    );
  if ('known' in outcome)
    return (
      <>
        <Badge>{say('upload.sentBefore')}</Badge> {say('upload.known')}
      </>
    );
  return <Badge tone="good">{say('upload.received', { count: outcome.imported.length })}</Badge>;
}

function Forms({ open: { link, organization }, token, hasNoFile = false }: { open: OpenLink; token: string; hasNoFile?: boolean }) {
  const { language } = wordingNow();
  const path = `${UPLOADS_PATH}/${token}`;
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: organization.timeZone });
  const left = say('upload.left', {
    taken: link.filesTaken === 0 ? 'none' : 'some',
    count: link.maxFiles - link.filesTaken,
    until: until.format(new Date(link.expiresAt)),
    timeZone: organization.timeZone,
  });
  return (
    <>
      {hasNoFile ? <Note tone="error">{say('upload.choose')}</Note> : null}
      <form method="post" action={`${path}?lang=${language}`} class="fields" encType="multipart/form-data">
        <FileField state={formOf()} name="file" label={say('upload.files')} hint={uploadHint()} accept={ACCEPTED} required />
        <p class="hint">{left}</p>
        <p class="buttons">
          <button>{say('upload.send')}</button>
        </p>
      </form>
      <details class="confirm">
        <summary class="button plain">{say('upload.finished')}</summary>
        <form method="post" action={`${path}/finish?lang=${language}`}>
          <p>{say('upload.finishAbout')}</p>
          <button>{say('upload.finish')}</button>
        </form>
      </details>
    </>
  );
}

export const finishedPage = ({ link, organization }: OpenLink): Page =>
  pageOf(
    say('upload.thanks'),
    <Note tone="notice">
      {link.filesTaken === 0
        ? say('upload.closed', { organization: organization.name })
        : say('upload.done', { organization: organization.name })}
    </Note>,
  );

export const noLinkPage = (): Page => pageOf(say('upload.invalid'), <p>{say('upload.invalidAbout')}</p>);
