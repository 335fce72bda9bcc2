import { Injectable } from '@nestjs/common';
import { OPEN_PAGE_HEADERS, OpenPages } from '../../../api/console/open-pages.js';
import { LostPage, type SentPage } from '../../../api/http/pages/lost-page.js';
import { Implements } from '../../../store/discovery/ports.js';
import { noLinkPage } from './client-upload.views.js';
import { UPLOADS_PATH } from './upload-addresses.js';

/** An address that is no longer that of a link, as when its end was cut off. */
@Implements(LostPage)
@Injectable()
export class LostUploadPage implements LostPage {
  readonly path = UPLOADS_PATH;

  constructor(private readonly pages: OpenPages) {}

  show(): Promise<SentPage> {
    return Promise.resolve({ html: this.pages.render(noLinkPage()), headers: OPEN_PAGE_HEADERS });
  }
}
