// Command zones prints the time zones that the CEL engine knows, read from
// the database that comes with Go, in the form that
// crates/cel/src/library/zones.rs explains:
//
//	go run ./zones > ../../../crates/cel/tables/zones.txt
//
// With the argument "sum" it prints a checksum of what Go's package time makes
// of the database, which the tests of zones.rs hold the table to.
package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// firstYear is the year from which years are counted.
const firstYear = 1840

// zone is what is kept of a file of the database.
type zone struct {
	// offset is in force before the first change, in seconds east of UTC.
	offset  int
	changes []change
	// rule is what holds after the last change.
	rule string
}

// change is one change of the clocks.
type change struct {
	when int64
	by   int
}

func main() {
	log.SetFlags(0)
	archive, err := zip.OpenReader(filepath.Join(runtime.GOROOT(), "lib/time/zoneinfo.zip"))
	if err != nil {
		log.Fatal(err)
	}
	defer archive.Close()
	table, sum := newTable(), fnv.New64a()
	sort.Slice(archive.File, func(i, j int) bool { return archive.File[i].Name < archive.File[j].Name })
	for _, file := range archive.File {
		if strings.HasSuffix(file.Name, "/") {
			continue
		}
		content, err := file.Open()
		if err != nil {
			log.Fatal(err)
		}
		data, err := io.ReadAll(content)
		if err != nil {
			log.Fatal(err)
		}
		z := read(data)
		table.add(file.Name, z)
		location, err := time.LoadLocationFromTZData(file.Name, data)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(sum, "%s %v\n", file.Name, answers(location, z))
	}
	if len(os.Args) > 1 && os.Args[1] == "sum" {
		fmt.Printf("%#x\n", sum.Sum64())
		return
	}
	table.print()
}

// answers is what Go says of a zone: the offsets at 400 times from 1811 to 2128, and the time of each
// change in the file, with the offsets before and after it.
func answers(location *time.Location, z zone) []int64 {
	offset := func(at int64) int64 {
		_, offset := time.Unix(at, 0).In(location).Zone()
		return int64(offset)
	}
	var said []int64
	for i := range int64(400) {
		said = append(said, offset(-5_000_000_000+i*25_000_000))
	}
	for _, c := range z.changes {
		if c.by != 0 {
			said = append(said, c.when, offset(c.when-1), offset(c.when))
		}
	}
	return said
}

// read takes the 64-bit part of a file apart.
func read(data []byte) zone {
	counts := func(at int) (types, times, chars, rest int) {
		n := func(i int) int { return int(binary.BigEndian.Uint32(data[at+20+4*i:])) }
		return n(4), n(3), n(5), n(0) + n(1)
	}
	leaps := func(at int) int { return int(binary.BigEndian.Uint32(data[at+28:])) }
	types, times, chars, rest := counts(0)
	second := 44 + times*5 + types*6 + chars + leaps(0)*8 + rest
	types, times, chars, rest = counts(second)
	at := second + 44
	indexes := at + 8*times
	kinds := indexes + times
	offset := func(kind int) int { return int(int32(binary.BigEndian.Uint32(data[kinds+6*kind:]))) }
	footer := kinds + 6*types + chars + leaps(second)*12 + rest

	z := zone{offset: offset(0), rule: rule(strings.Trim(string(data[footer:]), "\n"))}
	current := z.offset
	for i := range times {
		when := int64(binary.BigEndian.Uint64(data[at+8*i:]))
		next := offset(int(data[indexes+i]))
		// The last one counts even if it changes nothing: the rule begins with it.
		if next != current || i == times-1 {
			z.changes = append(z.changes, change{when, next - current})
		}
		current = next
	}
	return z
}

// rule turns "EST5EDT,M3.2.0,M11.1.0" into "-18000,-14400,3.2.0/7200,11.1.0/7200",
// or a rule without daylight saving time into its offset.
func rule(posix string) string {
	parts := strings.Split(posix, ",")
	standard, rest := clock(name(parts[0]))
	if rest == "" {
		return strconv.Itoa(-standard)
	}
	saving := standard - 3600
	if rest = name(rest); rest != "" {
		saving, _ = clock(rest)
	}
	date := func(text string) string {
		day, at, found := strings.Cut(text, "/")
		if !strings.HasPrefix(day, "M") {
			log.Fatalf("the rule %s is of a form that is not known", posix)
		}
		seconds := 7200
		if found {
			seconds, _ = clock(at)
		}
		return fmt.Sprintf("%s/%d", day[1:], seconds)
	}
	return fmt.Sprintf("%d,%d,%s,%s", -standard, -saving, date(parts[1]), date(parts[2]))
}

// name cuts the name of an offset off.
func name(text string) string {
	if strings.HasPrefix(text, "<") {
		return text[strings.Index(text, ">")+1:]
	}
	return strings.TrimLeftFunc(text, unicode.IsLetter)
}

// clock reads hours, minutes and seconds with a sign, as seconds.
func clock(text string) (int, string) {
	end := strings.IndexFunc(text, func(c rune) bool { return !strings.ContainsRune("+-:0123456789", c) })
	if end < 0 {
		end = len(text)
	}
	seconds, unit := 0, 3600
	for _, part := range strings.Split(strings.TrimLeft(text[:end], "+-"), ":") {
		number, err := strconv.Atoi(part)
		if err != nil {
			log.Fatal(err)
		}
		seconds += number * unit
		unit /= 60
	}
	if strings.HasPrefix(text, "-") {
		seconds = -seconds
	}
	return seconds, text[end:]
}

// table gathers zones that are alike, and numbers what they have in common.
type table struct {
	names   map[string][]string
	order   []string
	changes numbers
	rules   numbers
}

func newTable() *table {
	return &table{names: map[string][]string{}}
}

func (t *table) add(name string, z zone) {
	line := ""
	current, year := z.offset, firstYear
	for _, c := range z.changes {
		local := time.Unix(c.when+int64(current), 0).UTC()
		ofDay := local.Hour()*3600 + local.Minute()*60 + local.Second()
		for ; local.Year()-year > most; year += most {
			// Nothing changes on the way.
			line += sign(most) + sign(1) + sign(1+31) + t.changes.sign("0+0")
		}
		current += c.by
		// What is uncommon is so because of the mean time of a place, which ends.
		text := fmt.Sprintf("%d%+d", ofDay, c.by)
		if c.by%900 != 0 {
			text = fmt.Sprintf("%d=%d", ofDay, current)
		}
		line += sign(local.Year()-year) + sign(int(local.Month())) + sign(day(local)) + t.changes.sign(text)
		year = local.Year()
	}
	line = fmt.Sprintf("%d %d %s", z.offset, t.rules.of(z.rule), line)
	if t.names[line] == nil {
		t.order = append(t.order, line)
	}
	t.names[line] = append(t.names[line], name)
}

// day is 0 to 3 for the first Sundays of a month, 4 for the last one, and 31 more than the day for
// other days.
func day(date time.Time) int {
	if date.Weekday() != time.Sunday {
		return date.Day() + 31
	}
	if date.AddDate(0, 0, 7).Month() != date.Month() {
		return 4
	}
	return (date.Day() - 1) / 7
}

// most is the largest number that fits a character.
const most = 93

// sign writes a small number as a printable character.
func sign(number int) string {
	if number < 0 || number > most {
		log.Fatalf("%d does not fit a character", number)
	}
	return string(rune('!' + number))
}

// print writes what zones are made of together, since it packs better so.
func (t *table) print() {
	fmt.Println(strings.Join(t.changes.known, " "))
	fmt.Println(strings.Join(t.rules.known, " "))
	for column := range 3 {
		for i, line := range t.order {
			if i > 0 && column < 2 {
				fmt.Print(" ")
			}
			fmt.Print(strings.Split(line, " ")[column])
			if column == 2 {
				fmt.Println(" " + strings.Join(t.names[line], ","))
			}
		}
		if column < 2 {
			fmt.Println()
		}
	}
}

// numbers gives each text a number.
type numbers struct {
	known []string
}

func (n *numbers) of(text string) int {
	for i, known := range n.known {
		if known == text {
			return i
		}
	}
	n.known = append(n.known, text)
	return len(n.known) - 1
}

// sign is the number of a text as one character, or as two of which the first is beyond the 90 of
// numbers that stand alone.
func (n *numbers) sign(text string) string {
	const alone = 90
	number := n.of(text)
	if number < alone {
		return sign(number)
	}
	number -= alone
	return sign(alone+number/(most+1)) + sign(number%(most+1))
}
