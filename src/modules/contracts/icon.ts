/** A sheet of paper with a tick: the icon in the tab of the browser. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<rect width="32" height="32" rx="7" fill="#0b5cad"/>' +
  '<path d="M9 6h10l5 5v15H9z" fill="#fff"/>' +
  '<path d="M12.5 17.5l3 3 5.5-6" fill="none" stroke="#0b5cad" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>' +
  '</svg>';
