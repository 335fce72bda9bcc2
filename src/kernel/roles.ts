/** What a user is in an organization, from the most to the least. */
export const USER_ROLES = ['owner', 'admin', 'member'] as const;
export type UserRole = (typeof USER_ROLES)[number];

/** Whether a role may do what takes at least another one. What is no role may do nothing. */
export const isAtLeast = (role: UserRole, least: UserRole): boolean =>
  USER_ROLES.includes(role) && USER_ROLES.indexOf(role) <= USER_ROLES.indexOf(least);
