/** Where the pictures of the console's pages are. */
export const PICTURES = 'docs/console';
export const MAX_PICTURES_BYTES = 2 * 1024 * 1024;

/** The name of a picture: `projects-one-edit.desktop.webp` shows `/console/:environment/projects/:project_id/edit`. */
export function pictureOf(route: string, view: string): string {
  const parts = route.split('/').slice(3);
  const name = parts.filter(Boolean).map((part) => (part.startsWith(':') ? 'one' : part));
  return `${name.join('-') || 'overview'}.${view}.webp`;
}
