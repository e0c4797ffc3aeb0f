export function showPapers() {}
