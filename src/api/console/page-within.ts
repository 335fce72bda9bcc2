export const FIRST_PAGE = '/console/test';

const CONSOLE_PAGE = /^\/console\/(test|live)(\/[\w-]+)*(\?[\w=&%.+-]*)?$/;
const INVITATION_PAGE = /^\/invitations\/[\w-]+$/;

/** The page of the console, or the invitation, that somebody wanted. Any other address is the first page: nobody is led elsewhere. */
export const pageWithin = (next: unknown): string =>
  typeof next === 'string' && (CONSOLE_PAGE.test(next) || INVITATION_PAGE.test(next)) ? next : FIRST_PAGE;
