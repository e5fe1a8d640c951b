export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" />
        <path d="M8 12l8-4 8 4v9l-8 4-8-4zM8 12l8 4 8-4M16 16v9" />
      </svg>
      <span class="brand-name">Parcelway</span>
    </span>
  );
}
