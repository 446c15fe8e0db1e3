// Command classes prints the classes of characters that regular expressions
// know, read from Go's package unicode, in the form that
// crates/cel/src/library/regex/unicode.rs explains:
//
//	go run ./classes > ../../../crates/cel/tables/unicode.txt
//
// With the argument "sum" it prints checksums of what Go's regular expressions
// make of each class and of letter case, which tests hold the table to.
package main

import (
	"fmt"
	"hash/fnv"
	"log"
	"os"
	"regexp/syntax"
	"slices"
	"sort"
	"strings"
	"unicode"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) > 1 && os.Args[1] == "sum" {
		sums()
		return
	}
	categories, scripts := categoryNames(), scriptNames()
	runs(categories, unicode.Categories, "Cn")
	runs(scripts, unicode.Scripts, "")
	var aliases []string
	for alias, name := range unicode.CategoryAliases {
		if unicode.Categories[canonical(alias)] == nil {
			aliases = append(aliases, canonical(alias)+"="+name)
		}
	}
	slices.Sort(aliases)
	fmt.Println(strings.Join(aliases, " "))
	folds()
}

// canonical is how the names of classes are compared.
func canonical(name string) string {
	name = strings.NewReplacer("_", "", "-", "", " ", "").Replace(name)
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + strings.ToLower(name[1:])
}

// categoryNames are the names of two letters of which each character has one.
func categoryNames() []string {
	var names []string
	for name := range unicode.Categories {
		if len(name) == 2 && name != "LC" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// scriptNames are the scripts that patterns can name.
func scriptNames() []string {
	var names []string
	for name := range unicode.Scripts {
		if _, err := syntax.Parse(`\p{`+name+`}`, syntax.Perl); err == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// runs prints which of the names holds for which characters, as lengths of runs.
func runs(names []string, tables map[string]*unicode.RangeTable, otherwise string) {
	kinds := make([]int, unicode.MaxRune+1)
	other := slices.Index(names, otherwise)
	for r := range kinds {
		kinds[r] = other + 1
	}
	for i, name := range names {
		for r := range kinds {
			if name != otherwise && unicode.Is(tables[name], rune(r)) {
				kinds[r] = i + 1
			}
		}
	}
	fmt.Println(strings.Join(names, " "))
	line, lengths := "", ""
	for from := 0; from < len(kinds); {
		to := from
		for to < len(kinds) && kinds[to] == kinds[from] {
			to++
		}
		line += number(kinds[from])
		lengths += number(to - from)
		from = to
	}
	fmt.Println(line)
	fmt.Println(lengths)
}

// folds prints the characters that differ from others by case, and how far the next one of their
// circle is: first runs of neighbors, then of every second character.
func folds() {
	deltas := map[rune]rune{}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if next := unicode.SimpleFold(r); next != r {
			deltas[r] = next - r
		}
	}
	run := func(from, step rune) (count rune) {
		delta, found := deltas[from]
		for at := from; found && deltas[at] == delta; at += step {
			count++
		}
		return count
	}
	for step := rune(1); step <= 2; step++ {
		line, last := "", rune(0)
		for r := rune(0); r <= unicode.MaxRune; r++ {
			count := run(r, step)
			if count == 0 || step == 1 && count < 2 {
				continue
			}
			line += number(int(r-last)) + number(int(count)) + signed(int(deltas[r]))
			for i := range count {
				delete(deltas, r+i*step)
			}
			last = r
		}
		fmt.Println(line)
	}
}

// number writes digits of base 47, the least first; all but the last are 47 larger.
func number(n int) string {
	text := ""
	for ; n >= 47; n /= 47 {
		text += string(rune('!' + 47 + n%47))
	}
	return text + string(rune('!'+n))
}

func signed(n int) string {
	if n < 0 {
		return number(-n*2 - 1)
	}
	return number(n * 2)
}

func sums() {
	var names []string
	for name := range unicode.Categories {
		names = append(names, name)
	}
	names = append(names, scriptNames()...)
	for name := range unicode.CategoryAliases {
		names = append(names, name)
	}
	names = append(names, "Any", "Assigned", "ASCII", "greek", "l-u", "OTHER letter")
	sort.Strings(names)
	for _, flags := range []string{"", "(?i)"} {
		sum := fnv.New64a()
		for _, name := range slices.Compact(names) {
			tree, err := syntax.Parse(flags+`[\p{`+name+`}\x{10ffff}\x{10fffd}]`, syntax.Perl)
			if err != nil {
				log.Fatal(name, err)
			}
			fmt.Fprintf(sum, "%s %v\n", name, tree.Rune)
		}
		fmt.Printf("%q %#x %d\n", flags, sum.Sum64(), len(slices.Compact(names)))
	}
	sum := fnv.New64a()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if next := unicode.SimpleFold(r); next != r {
			fmt.Fprintf(sum, "%d %d\n", r, next)
		}
	}
	fmt.Printf("fold %#x\n", sum.Sum64())
	fmt.Println(strings.Join(slices.Compact(names), ","))
}
