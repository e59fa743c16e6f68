import CivilTime
import TestSupport
import Testing

struct DateTextTests {
  struct Case: Sendable {
    let story: String
    let text: String
    let milliseconds: Int64?
  }

  @Test(arguments: [
    // 2021-08-09 is day 18,848: 18,848 x 86,400 + 18 x 3,600 + 26 x 60 + 2 = 1,628,533,562.
    Case(story: "ISO 8601 in UTC", text: "2021-08-09T18:26:02Z", milliseconds: 1_628_533_562_000),
    Case(
      story: "Apple's text form", text: "2021-08-09 18:26:02 Etc/GMT",
      milliseconds: 1_628_533_562_000),
    Case(
      story: "Pacific daylight time is 7 hours behind",
      text: "2021-08-09 11:26:02 America/Los_Angeles", milliseconds: 1_628_533_562_000),
    // 2021-01-09 is day 18,636; noon PST is 20:00 UTC: 18,636 x 86,400 + 72,000 = 1,610,222,400.
    Case(
      story: "Pacific standard time is 8 hours behind",
      text: "2021-01-09 12:00:00 America/Los_Angeles", milliseconds: 1_610_222_400_000),
    Case(
      story: "an offset ahead of UTC", text: "2021-08-09T20:26:02+02:00",
      milliseconds: 1_628_533_562_000),
    Case(
      story: "an offset behind UTC without a colon", text: "2021-08-09T13:56:02-0430",
      milliseconds: 1_628_533_562_000),
    Case(
      story: "milliseconds are kept and finer digits cut", text: "2021-08-09T18:26:02.1239Z",
      milliseconds: 1_628_533_562_123),
    Case(story: "no zone is UTC", text: "2021-08-09 18:26:02", milliseconds: 1_628_533_562_000),
    Case(
      story: "a bare day begins at midnight", text: "2021-08-09",
      milliseconds: 1_628_467_200_000),
    Case(story: "before 1970", text: "1969-12-31T23:59:59Z", milliseconds: -1_000),
    Case(story: "a leap day", text: "2024-02-29T00:00:00Z", milliseconds: 1_709_164_800_000),
    Case(story: "no leap day", text: "2023-02-29T00:00:00Z", milliseconds: nil),
    Case(
      story: "a cut zone name is no zone", text: "2021-08-09 18:26:02 Etc/GM",
      milliseconds: nil),
    Case(story: "no such month", text: "2021-13-01T00:00:00Z", milliseconds: nil),
    Case(story: "no such hour", text: "2021-08-09T24:00:00Z", milliseconds: nil),
    Case(story: "trailing text", text: "2021-08-09T18:26:02Zoo", milliseconds: nil),
    Case(story: "nothing", text: "", milliseconds: nil),
    Case(story: "a number", text: "1628533562000", milliseconds: nil),
  ])
  func `date texts of exports are read`(_ example: Case) {
    #expect(Instant(text: example.text)?.milliseconds == example.milliseconds, "\(example.story)")
  }

  @Test func `an instant is written in UTC with whole seconds rounded down`() {
    #expect(Instant(milliseconds: 1_628_533_562_999).text == "2021-08-09T18:26:02Z")
    #expect(Instant(milliseconds: -1).text == "1969-12-31T23:59:59Z")
    #expect(Instant.distantPast.text == "0001-01-01T00:00:00Z")
    #expect(Instant.distantFuture.text == "9999-12-31T23:59:59Z")
  }

  @Test func `every second survives being written and read`() {
    let seed: UInt64 = 1_628_533_562
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &generator)
      let instant = Instant(milliseconds: seconds * 1000)
      #expect(Instant(text: instant.text) == instant, "seed \(seed): \(instant.text)")
    }
  }

  @Test func `no text makes the reader trap`() {
    let seed: UInt64 = 5
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789-:T Z+.Etc/GMTAmericaLos_Angeles".utf8)
    for _ in 0..<20_000 {
      var bytes = Array("2021-08-09 18:26:02 Etc/GMT".utf8)
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &generator)] =
          alphabet.randomElement(using: &generator) ?? 0
      }
      let instant = Instant(text: bytes.span)
      #expect(instant?.isWritable ?? true, "seed \(seed): \(bytes)")
    }
  }
}
