// Command zones prints the time zones that the CEL engine knows, read from
// the database that comes with Go, in the form that
// crates/cel/src/library/zones.rs explains:
//
//	go run ./zones > ../../../crates/cel/src/library/zones.txt
package main

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// firstYear is the first year that the table knows.
const firstYear = 1970

// zone is what is kept of a file of the database.
type zone struct {
	// offset is in force when the first year begins, in seconds east of UTC.
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
	table := newTable()
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
		table.add(file.Name, read(data))
	}
	table.print()
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
	start := time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	current := z.offset
	for i := range times {
		when := int64(binary.BigEndian.Uint64(data[at+8*i:]))
		next := offset(int(data[indexes+i]))
		// The last one counts even if it changes nothing: the rule begins with it.
		if when >= start && (next != current || i == times-1) {
			z.changes = append(z.changes, change{when, next - current})
		} else if when < start {
			z.offset = next
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
	line := fmt.Sprintf("%d %d ", z.offset, t.rules.of(z.rule))
	current, year := z.offset, firstYear
	for _, c := range z.changes {
		local := time.Unix(c.when+int64(current), 0).UTC()
		ofDay := local.Hour()*3600 + local.Minute()*60 + local.Second()
		line += sign(local.Year()-year) + sign(int(local.Month())) + sign(day(local)) +
			sign(t.changes.of(fmt.Sprintf("%d%+d", ofDay, c.by)))
		current += c.by
		year = local.Year()
	}
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

// sign writes a small number as a printable character.
func sign(number int) string {
	if number < 0 || number > 93 {
		log.Fatalf("%d does not fit a character", number)
	}
	return string(rune('!' + number))
}

func (t *table) print() {
	fmt.Println(strings.Join(t.changes.known, " "))
	fmt.Println(strings.Join(t.rules.known, " "))
	for _, line := range t.order {
		fmt.Println(strings.Join(t.names[line], ",") + " " + strings.TrimRight(line, " "))
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
