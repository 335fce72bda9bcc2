import { RecordPageQuery, RecordDto } from '../../../api/dto/page.js';
import { CustomFields } from '../../../api/validation/custom-fields.js';
import { Flag, Integer, OneOf, Text, Timestamp, Uuid } from '../../../api/validation/fields.js';
import { SERVICE_URL } from '../../../kernel/settings/setting-text.js';
import { LINK_STATES, type LinkState, stateOf, UploadLink } from './upload-link.entity.js';

export const LINK_BOUNDS = { note: 500, days: 30, maxFiles: 100 };

export class ListUploadLinksQuery extends RecordPageQuery {}

export class CreateUploadLinkDto {
  @Uuid({ about: 'The claim project that the statements are for.' }) projectId: string;
  @Text({ about: 'What is asked for. The client reads it.', max: LINK_BOUNDS.note, optional: true, example: 'January, please' })
  note?: string;
  @Integer({ about: 'For how many days it is open.', min: 1, max: LINK_BOUNDS.days, optional: true, default: 14, example: 14 })
  days?: number;
  @Integer({ about: 'How many statements it takes.', min: 1, max: LINK_BOUNDS.maxFiles, optional: true, default: 20, example: 20 })
  maxFiles?: number;
}

export class UpdateUploadLinkDto {
  @Text({ about: 'What is asked for. The client reads it.', max: LINK_BOUNDS.note, optional: true, example: 'February, please' })
  note?: string;
  @Flag({ about: 'Ends it at once. It cannot be opened again.', only: true, optional: true, example: true }) withdraw?: boolean;
}

export class UploadLinkDto extends RecordDto {
  @Uuid({ about: 'The claim project that the statements are for.' }) projectId: string;
  @Text({ about: 'What is asked for. The client reads it.', example: 'January, please' }) note: string;
  @OneOf(LINK_STATES, { about: 'Whether it is open, or why it is not.', example: 'open' }) status: LinkState;
  @Integer({ about: 'How many statements it takes.', min: 1, example: 20 }) maxFiles: number;
  @Integer({ about: 'How many it has taken.', min: 0, example: 3 }) filesTaken: number;
  @Text({ about: 'Who has made it: the name of a person, or of a credential.', example: 'Month-end sync' }) createdByName: string;
  @Timestamp({ about: 'Until when it is open.' }) expiresAt: string;
  @Timestamp({ about: 'When its client had finished, or had sent the last file.', nullable: true }) usedAt: string | null;
  @Timestamp({ about: 'When it was withdrawn.', nullable: true }) withdrawnAt: string | null;

  static from(link: UploadLink, now: Date): UploadLinkDto {
    const { id, environment, projectId, note, maxFiles, filesTaken, creatorName, expiresAt, usedAt, withdrawnAt } = link;
    const { createdAt, updatedAt } = link;
    const own = { projectId, note, status: stateOf(link, now), maxFiles, filesTaken, createdByName: creatorName };
    return UPLOAD_LINK_FIELDS.answered({ id, environment, ...own, expiresAt, usedAt, withdrawnAt, createdAt, updatedAt }, link);
  }
}

export const UPLOAD_LINK_FIELDS = new CustomFields({
  table: 'upload_links',
  entity: UploadLink,
  inputs: [CreateUploadLinkDto, UpdateUploadLinkDto],
  answers: [UploadLinkDto],
  list: ListUploadLinksQuery,
});

export class UploadLinkDetailsDto extends UploadLinkDto {
  @Text({
    about: 'What the client opens. It is shown in this answer only. With `?lang=de`, the page is in that language.',
    example: `${SERVICE_URL}/uploads/upload_test_…`,
  })
  address: string;
}
