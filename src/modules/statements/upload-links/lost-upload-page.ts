import { Injectable } from '@nestjs/common';
import { OPEN_PAGE_HEADERS, openPage } from '../../../api/console/open-pages.js';
import { LostPage, type SentPage } from '../../../api/http/pages/lost-page.js';
import { wordingFor } from '../../../api/wording/page-wording.js';
import { inWording } from '../../../api/wording/spoken.js';
import type { FastifyRequest } from 'fastify';
import { Implements } from '../../../store/discovery/ports.js';
import { noLinkPage } from './client-upload.views.js';
import { UPLOADS_PATH } from './upload-addresses.js';

/** An address that is no longer that of a link, as when its end was cut off. */
@Implements(LostPage)
@Injectable()
export class LostUploadPage implements LostPage {
  readonly path = UPLOADS_PATH;

  show(request: FastifyRequest): Promise<SentPage> {
    const html = inWording(wordingFor(request), () => openPage(noLinkPage()));
    return Promise.resolve({ html, headers: OPEN_PAGE_HEADERS });
  }
}
