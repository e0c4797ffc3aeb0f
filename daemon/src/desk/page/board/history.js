export function showHistory() {}
