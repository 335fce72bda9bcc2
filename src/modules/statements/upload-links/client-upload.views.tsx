import { formOf } from '../../../api/console/form.js';
import type { OpenPage } from '../../../api/console/open-pages.js';
import { Badge, Time } from '../../../api/console/parts/facts.js';
import { FileField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { Problem } from '../../../kernel/problems.js';
import { type FileOutcome, UPLOAD_HINT } from '../console/statement-upload.js';
import { ACCEPTED } from '../console/upload-form.js';
import type { OpenLink } from './client-upload.service.js';
import { UPLOADS_PATH } from './upload-addresses.js';
import { filesInWords } from './upload-links.service.js';

const titleOf = ({ organization }: OpenLink): string => `Bank statements for ${organization.name}`;

export function uploadPage(open: OpenLink, token: string, problem?: string): OpenPage {
  const { link } = open;
  return {
    title: titleOf(open),
    body: (
      <>
        <p>{open.organization.name} asks you for bank statements. Nothing that was sent can be read here.</p>
        {link.note === '' ? null : <blockquote>{link.note}</blockquote>}
        <Forms open={open} token={token} problem={problem} />
      </>
    ),
  };
}

interface Sent {
  readonly token: string;
  /** The link as it is afterwards, if it is still open. */
  readonly still: OpenLink | undefined;
}

export function outcomePage(open: OpenLink, outcomes: readonly FileOutcome[], { token, still }: Sent): OpenPage {
  return {
    title: titleOf(open),
    body: (
      <>
        <Table
          caption="Your files"
          rows={outcomes}
          empty={null}
          columns={[
            ['File', ({ name }) => name || 'Without a name'],
            ['What became of it', (outcome) => <Outcome outcome={outcome} />],
          ]}
        />
        {still ? (
          <>
            <h2>Anything else?</h2>
            <Forms open={still} token={token} />
          </>
        ) : (
          <p class="notice" role="status">
            {open.organization.name} has your files. The link is used up: you can close this page.
          </p>
        )}
      </>
    ),
  };
}

function Outcome({ outcome }: { outcome: FileOutcome }) {
  if ('refused' in outcome)
    return (
      <>
        <Badge tone="bad">Not taken</Badge> {outcome.refused}
      </>
    );
  if ('known' in outcome)
    return (
      <>
        <Badge>Sent before</Badge> This file is there already. It was not taken again.
      </>
    );
  return <Badge tone="good">{outcome.imported.length === 1 ? 'Received' : `Received, with ${outcome.imported.length} statements`}</Badge>;
}

function Forms({ open: { link, organization }, token, problem }: { open: OpenLink; token: string; problem?: string | undefined }) {
  const path = `${UPLOADS_PATH}/${token}`;
  const state = { ...formOf(), ...(problem !== undefined && { problem: Problem.invalidField('file', 'required', problem) }) };
  return (
    <>
      <form method="post" action={path} class="fields" encType="multipart/form-data">
        <FileField
          state={state}
          name="file"
          label="Files"
          hint={`CSV, Excel, PDF, OFX, QIF, MT940 or CAMT as your bank exports them, or a ZIP archive of several. ${UPLOAD_HINT}`}
          accept={ACCEPTED}
          required
        />
        <p class="hint">
          You can send {filesInWords(link.maxFiles - link.filesTaken)}
          {link.filesTaken === 0 ? '' : ' more'}, until <Time ctx={{ organization }} at={link.expiresAt} /> ({organization.timeZone}).
        </p>
        <p class="buttons">
          <button>Send the files</button>
        </p>
      </form>
      <details class="confirm">
        <summary class="button plain">I am finished</summary>
        <form method="post" action={`${path}/finish`}>
          <p>The link stops working. To send more files later you would need a new one.</p>
          <button>Finish</button>
        </form>
      </details>
    </>
  );
}

export const finishedPage = (open: OpenLink): OpenPage => ({
  title: 'Thank you',
  body: (
    <p class="notice" role="status">
      {open.link.filesTaken === 0
        ? `The link is closed. ${open.organization.name} got no file by it.`
        : `${open.organization.name} has your files. The link is used up: you can close this page.`}
    </p>
  ),
});

export const noLinkPage = (): OpenPage => ({
  title: 'This link is no longer valid',
  body: <p>It was used up, withdrawn or has expired, or its address is not complete. Ask the person who sent it to you for a new one.</p>,
});
