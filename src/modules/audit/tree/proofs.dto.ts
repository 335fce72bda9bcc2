import { Integer, Nested, Text, TextList, Timestamp, Uuid } from '../../../api/validation/fields.js';

const NOTE =
  'api.example.com/audit/0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20\n41233\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— api.example.com…\n';

const KEY = 'api.example.com/audit/0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20+0c5d8a1e+AdXqBOcXYN2xyDYtxvOVNJbKU9Y0aQNhZXxg5u1bcXkQ';

export class ConsistencyQuery {
  @Integer({ about: 'The size of an earlier checkpoint.', min: 1, optional: true, default: 1, example: 1 }) from: number = 1;
}

export class AuditCheckpointDto {
  @Text({ about: 'Names the log: the same in all its checkpoints.', example: 'api.example.com/audit/0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d20' })
  origin: string;
  @Integer({ about: 'How many events the log has.', min: 1, example: 41_233 }) size: number;
  @Text({
    about: 'The checkpoint, signed by the service and by its witnesses: origin, size, root hash, signatures (C2SP `signed-note`). Keep it.',
    example: NOTE,
  })
  note: string;
  @TextList({ about: 'The keys that sign checkpoints of this log, as `signed-note` writes them. The newest last.', example: [KEY] })
  verifierKeys: string[];
  @Timestamp({ about: 'When it was signed.' }) createdAt: string;
}

const HASHES = 'The hashes of the proof, of 32 bytes each, one after the other in Base64.';

export class AuditProofDto {
  @Uuid({ about: 'Id of the event.' }) eventId: string;
  @Integer({ about: 'Its `sequence`: it is the leaf with this number, counted from 1.', min: 1, example: 1042 }) sequence: number;
  @Text({
    about: `${HASHES} From the event up to the root of the checkpoint (RFC 6962).`,
    example: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg=',
  })
  hashes: string;
  @Nested(AuditCheckpointDto, { about: 'The newest checkpoint: the event is part of the log that it is about.' })
  checkpoint: AuditCheckpointDto;
}

export class AuditConsistencyDto {
  @Integer({ about: 'The size of the earlier checkpoint.', min: 1, example: 41_233 }) from: number;
  @Text({ about: `${HASHES} They show that the log still begins with the events of the earlier one (RFC 6962).`, example: '' })
  hashes: string;
  @Nested(AuditCheckpointDto, { about: 'The newest checkpoint.' }) checkpoint: AuditCheckpointDto;
}
