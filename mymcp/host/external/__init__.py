"""External plugins: read, checked, imported and contained. All of them start, or nothing does."""
