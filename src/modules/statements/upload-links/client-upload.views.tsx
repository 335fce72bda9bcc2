import { formOf } from '../../../api/console/form.js';
import type { OpenPage } from '../../../api/console/open-pages.js';
import { Badge } from '../../../api/console/parts/facts.js';
import { FileField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import type { Say, Wording } from '../../../api/wording/wording.js';
import type { FileOutcome } from '../console/statement-upload.js';
import { UPLOAD_BOUNDS } from '../console/statement-upload.js';
import { ACCEPTED } from '../console/upload-form.js';
import { MAX_FILE_SIZE } from '../formats/limits.js';
import type { OpenLink } from './client-upload.service.js';
import { UPLOADS_PATH } from './upload-addresses.js';

const titleOf = ({ organization }: OpenLink, say: Say): string => say('upload.title', { organization: organization.name });

interface Asked {
  readonly token: string;
  readonly wording: Wording;
}

export function uploadPage(open: OpenLink, asked: Asked, hasNoFile = false): OpenPage {
  const { link, organization } = open;
  const { say, language } = asked.wording;
  return {
    title: titleOf(open, say),
    language,
    offersLanguages: true,
    body: (
      <>
        <p>{say('upload.asks', { organization: organization.name })}</p>
        {link.note === '' ? null : <blockquote>{link.note}</blockquote>}
        <Forms open={open} asked={asked} hasNoFile={hasNoFile} />
      </>
    ),
  };
}

/** `still` is the link as it is afterwards, if it is still open. */
export function outcomePage(open: OpenLink, outcomes: readonly FileOutcome[], asked: Asked & { still: OpenLink | undefined }): OpenPage {
  const { say, language } = asked.wording;
  return {
    title: titleOf(open, say),
    language,
    body: (
      <>
        <Table
          caption={say('upload.outcomes')}
          rows={outcomes}
          empty={null}
          columns={[
            [say('upload.file'), ({ name }) => name || say('upload.nameless')],
            [say('upload.result'), (outcome) => <Outcome outcome={outcome} say={say} />],
          ]}
        />
        {asked.still ? (
          <>
            <h2>{say('upload.more')}</h2>
            <Forms open={asked.still} asked={asked} />
          </>
        ) : (
          <p class="notice" role="status">
            {say('upload.done', { organization: open.organization.name })}
          </p>
        )}
      </>
    ),
  };
}

/** Why a file is not taken is said in English. */
function Outcome({ outcome, say }: { outcome: FileOutcome; say: Say }) {
  if ('refused' in outcome)
    return (
      <>
        <Badge tone="bad">{say('upload.notTaken')}</Badge> <span lang="en">{outcome.refused}</span>
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

function Forms({ open: { link, organization }, asked, hasNoFile = false }: { open: OpenLink; asked: Asked; hasNoFile?: boolean }) {
  const { say, language } = asked.wording;
  const path = `${UPLOADS_PATH}/${asked.token}`;
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: organization.timeZone });
  const bounds = say('upload.bounds', {
    files: UPLOAD_BOUNDS.files,
    fileSize: MAX_FILE_SIZE,
    formSize: `${UPLOAD_BOUNDS.formBytes / 1024 ** 2} MiB`,
  });
  const left = say('upload.left', {
    taken: link.filesTaken === 0 ? 'none' : 'some',
    count: link.maxFiles - link.filesTaken,
    until: until.format(new Date(link.expiresAt)),
    timeZone: organization.timeZone,
  });
  return (
    <>
      {hasNoFile ? (
        <p class="error" role="alert">
          {say('upload.choose')}
        </p>
      ) : null}
      <form method="post" action={`${path}?lang=${language}`} class="fields" encType="multipart/form-data">
        <FileField
          state={formOf()}
          name="file"
          label={say('upload.files')}
          hint={`${say('upload.formats')} ${bounds}`}
          accept={ACCEPTED}
          required
        />
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

export const finishedPage = ({ link, organization }: OpenLink, { say, language }: Wording): OpenPage => ({
  title: say('upload.thanks'),
  language,
  body: (
    <p class="notice" role="status">
      {link.filesTaken === 0
        ? say('upload.closed', { organization: organization.name })
        : say('upload.done', { organization: organization.name })}
    </p>
  ),
});

export const noLinkPage = ({ say, language }: Wording): OpenPage => ({
  title: say('upload.invalid'),
  language,
  body: <p>{say('upload.invalidAbout')}</p>,
});
