import { NoticeSettings } from './notice-settings.service.js';
import { NoticesRepository } from './notices.repository.js';
import { Notices } from './notices.service.js';
import { OrganizationNotice } from './organization-notice.entity.js';
import { StatusNotice } from './status-notice.js';

export { NoticeSettings, Notices, OrganizationNotice };

/** Mails to the owners of organizations, and which of them each organization wants. */
export const NOTICE_PROVIDERS = [NoticesRepository, Notices, NoticeSettings, StatusNotice];
