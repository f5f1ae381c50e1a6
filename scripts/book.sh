#!/usr/bin/env bash
# Builds the pages of docs/src as a book with mdBook, in target/book. It fails if mdBook warns, if a page is not in the book, or if a link
# leads nowhere. `make evidence` calls it. Exit codes: 0 done, 1 the book has a defect, 2 there is no mdBook.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

BOOK=target/book

fail() { echo "book: $*" >&2; exit 1; }

type -P mdbook >/dev/null || { echo "book: mdBook is missing; scripts/setup.sh evidence installs it" >&2; exit 2; }
mdbook --version
rm -rf "$BOOK"
said=$(mdbook build docs 2>&1) || fail "mdbook build failed: $said"
! grep -E 'WARN|ERROR' <<<"$said" || fail "mdBook warns"

pages=0
for source in docs/src/*.md; do
    name=$(basename "$source" .md)
    [[ $name != SUMMARY ]] || continue
    [[ -s $BOOK/$name.html ]] || fail "docs/src/SUMMARY.md does not name $name.md"
    grep -q "href=\"$name.html\"" "$BOOK/toc.html" || fail "$name.html is not in the table of contents"
    pages=$((pages + 1))
done

# mdBook takes every link to a .md file for one to a page; those of the repository are not.
sed -Ei 's|(href="\.\./\.\./[^"#]*)\.html|\1.md|g' "$BOOK"/*.html

# print.html has all pages in one, and 404.html is shown by a server at any address.
links=0
for html in "$BOOK"/*.html; do
    [[ ${html##*/} != 404.html && ${html##*/} != print.html ]] || continue
    while IFS= read -r link; do
        file=${link%%#*} anchor=""
        [[ $link != *"#"* ]] || anchor=${link#*#}
        target=$html
        [[ -z $file ]] || target=$BOOK/$file
        [[ -e $target ]] || fail "$html: $link is not there"
        [[ -z $anchor || $target != *.html ]] || grep -qF "id=\"$anchor\"" "$target" || fail "$html: $link is no heading"
        links=$((links + 1))
    done < <(grep -oE '(href|src)="[^"]+"' "$html" | sed -E 's/^[a-z]+="//; s/"$//' | grep -vE '^(https?|data):' | sort -u)
done
((links > 100)) || fail "only $links links were found"
echo "book: $pages pages, $links links, no warnings"
