internal import CivilTime
@testable internal import Pipeline
internal import Testing

struct InputPatternTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let pattern: String
    let name: String
    var matches = true
    var day: String?
    var testDescription: String { "\(pattern) and \(name)" }
  }

  @Test(arguments: [
    Case(pattern: "a.gz", name: "a.gz"),
    Case(pattern: "a.gz", name: "b.gz", matches: false),
    Case(pattern: "*.gz", name: "a.gz"),
    Case(pattern: "*.gz", name: ".gz", matches: false),
    Case(pattern: "*.gz", name: ".hidden.gz", matches: false),
    Case(pattern: ".*.gz", name: ".hidden.gz"),
    Case(pattern: "*.gz", name: "a.gz.part", matches: false),
    Case(pattern: "a*b*c", name: "aXbYbZc"),
    Case(pattern: "a*b*c", name: "aXbY", matches: false),
    Case(pattern: "**", name: "anything"),
    Case(pattern: "?.gz", name: "a.gz"),
    Case(pattern: "?.gz", name: "ab.gz", matches: false),
    Case(pattern: "r-{date}.gz", name: "r-2021-02-28.gz", day: "2021-02-28"),
    Case(pattern: "r-{date}.gz", name: "r-2021-02-29.gz", matches: false),
    Case(pattern: "r-{date}.gz", name: "r-2021-2-8.gz", matches: false),
    Case(pattern: "*{date}*", name: "1999-99-99-2021-03-04-x", day: "2021-03-04"),
    Case(pattern: "{date}", name: "2021-03-04", day: "2021-03-04"),
    Case(pattern: "[a].gz", name: "[a].gz"),
    Case(pattern: "[a].gz", name: "a.gz", matches: false),
    Case(pattern: "é*", name: "été"),
    Case(
      pattern: "K\u{E4}ufe-?-{date}.gz", name: "Ka\u{308}ufe-\u{FC}-2021-03-04.gz",
      day: "2021-03-04"),
    Case(pattern: "Ka\u{308}ufe-*", name: "K\u{E4}ufe-1"),
    Case(pattern: "Kaufe-*", name: "Ka\u{308}ufe-1", matches: false),
  ])
  func `a pattern matches whole names`(_ example: Case) {
    let match = NamePattern(example.pattern).match(example.name)
    #expect((match != nil) == example.matches)
    #expect(match?.day?.text == example.day)
  }

  @Test func `many stars do not make matching slow`() {
    let pattern = NamePattern(String(repeating: "*a", count: 20) + "b")
    #expect(pattern.match(String(repeating: "a", count: 2000)) == nil)
  }

  @Test(arguments: [
    ("exports/r-*.gz", "shop", "shop/exports", 1), ("../x/{date}/r.gz", "shop/p", "shop/x", 2),
    ("/srv/a.gz", "shop", "/srv", 1), ("*.gz", ".", ".", 1), ("/*.gz", "shop", "/", 1),
    ("für/a.gz", "shop", "shop", 2),
  ])
  func `the folder is what stands before the first wildcard`(
    _ text: String, _ base: String, _ folder: String, _ components: Int
  ) throws {
    let pattern = try #require(InputPattern(text, folder: base))
    #expect(pattern.folder == folder)
    #expect(pattern.components.count == components)
  }

  @Test(arguments: [
    ("in/*.gz", ".", "in/a.gz", "in/a.gz"), ("in/*.gz", "/", "/in/a.gz", "in/a.gz"),
    ("in/*.gz", "L\u{E4}den*/x", "L\u{E4}den*/x/in/a.gz", "in/a.gz"),
    ("./y/../*.gz", "shop", "shop/a.gz", "a.gz"),
    ("../x/{date}/r.gz", "shop/p", "shop/x/2021-03-04/r.gz", "../x/2021-03-04/r.gz"),
    ("../x/{date}/r.gz", ".", "../x/2021-03-04/r.gz", "../x/2021-03-04/r.gz"),
    ("f\u{FC}r/a.gz", "shop", "shop/f\u{FC}r/a.gz", "f\u{FC}r/a.gz"),
    ("/srv/./in/*.gz", "shop", "/srv/in/a.gz", "/srv/in/a.gz"),
  ])
  func `a file's name does not depend on the path of its pipeline`(
    _ text: String, _ base: String, _ path: String, _ name: String
  ) throws {
    let pattern = try #require(InputPattern(text, folder: base))
    #expect(pattern.holds(place: path))
    #expect(pattern.name(of: path) == name)
    #expect(pattern.holds(name))
  }

  struct PathCase: Sendable, CustomTestStringConvertible {
    let pattern: String
    let path: String
    var matches = true
    var testDescription: String { "\(pattern) and \(path)" }
  }

  @Test(arguments: [
    PathCase(pattern: "in/{yyyy}/{mm}/{dd}/*.gz", path: "in/2021/03/04/a.gz"),
    PathCase(pattern: "in/{yyyy}/{mm}/{dd}/*.gz", path: "in/2021/02/30/a.gz", matches: false),
    PathCase(pattern: "in/{yyyy}/{mm}/{dd}/*.gz", path: "in/2021/3/4/a.gz", matches: false),
    PathCase(pattern: "in/y={yyyy}/r-{mm}-{dd}.gz", path: "in/y=2021/r-03-04.gz"),
    PathCase(pattern: "in/dt={date}/*/part-*", path: "in/dt=2021-03-04/hour=5/part-0"),
    PathCase(pattern: "in/**/a.gz", path: "in/a.gz"),
    PathCase(pattern: "in/**/a.gz", path: "in/x/y/z/a.gz"),
    PathCase(pattern: "in/**/a.gz", path: "in/x/.hidden/a.gz", matches: false),
    PathCase(pattern: "in/**", path: "in/x/y.gz"),
    PathCase(pattern: "in/**/{date}/*", path: "in/x/y/2021-03-04/a"),
    PathCase(pattern: "in/**/{date}/*", path: "in/2021-03-04/y/a", matches: false),
  ])
  func `a pattern matches whole paths`(_ example: PathCase) throws {
    let pattern = try #require(InputPattern(example.pattern, folder: "."))
    #expect(pattern.holds(example.path) == example.matches)
  }

  @Test(arguments: [
    "{date}-{date}.gz", "a/{date}/{date}.gz", "a\u{0}b", "{yyyy}/{mm}/a.gz",
    "{yyyy}/{mm}/{dd}/{date}.gz", "{dd}.gz",
  ])
  func `a pattern that means nothing is refused`(_ text: String) {
    #expect(InputPattern(text, folder: ".") == nil)
  }

  @Test(arguments: [
    ("../var/state.db", "no-such-folder", "var/state.db"), ("a/./b", "x", "x/a/b"),
    ("../../a", "x", "../a"), ("/a/../b", "x", "/a/../b"), ("..", "x", "."),
    ("a", ".", "a"),
  ])
  func `a path is resolved from a folder`(_ path: String, _ folder: String, _ resolved: String) {
    #expect(FilePaths.resolve(path, in: folder) == resolved)
  }
}
