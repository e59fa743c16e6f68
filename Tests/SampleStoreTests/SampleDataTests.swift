internal import Diagnostics
internal import ExportReading
internal import Foundation
internal import PurchaseModel
internal import SampleStore
internal import TestSupport
internal import Testing

/// The checked-in sample store, and the generator that must reproduce it.
struct SampleDataTests {
  private static let folder = Checkout.folder.appending(path: "SampleData")

  private func bytes(_ name: String) -> [UInt8]? {
    (try? Data(contentsOf: Self.folder.appending(path: name))).map(Array.init)
  }

  @Test func `the generator still makes every file of SampleData`() throws {
    let store = try SignedShowcase()
    let exports = try (0..<store.exportCount).map { try store.export($0) }
    let others = store.accompanyingFiles().filter { $0.name != "pipeline.yaml" }
    for file in exports + others {
      let checkedIn = try #require(bytes(file.name), "\(file.name) is missing")
      // Another version of zlib may compress a text differently; then the texts must be equal.
      // Signatures always differ; then the signed payloads must be equal.
      let isSame =
        checkedIn == file.bytes || file.name == "signed/root.der"
        || (file.name.hasSuffix(".gz")
          && SignedText.payloads(gunzip(checkedIn))
            == SignedText.payloads(gunzip(file.bytes))
          && !gunzip(checkedIn).isEmpty)
      #expect(isSame, "\(file.name): run `swift run paidline-sample SampleData --showcase`")
    }
    let names = Set((exports + others).map(\.name))
    for folder in ["receipts", "prices", "signed"] {
      let found = try FileManager.default.contentsOfDirectory(
        atPath: Self.folder.appending(path: folder).path)
      for name in found {
        #expect(names.contains("\(folder)/\(name)"), "\(folder)/\(name) is of no use any more")
      }
    }
  }

  @Test func `SampleData stays below a megabyte`() throws {
    let names = FileManager.default.enumerator(atPath: Self.folder.path)?.compactMap {
      $0 as? String
    }
    let size = (names ?? []).map { bytes($0)?.count ?? 0 }.reduce(0, +)
    #expect(size > 100_000)
    #expect(size < 1_000_000)
  }

  @Test func `each reason for a reject occurs in the sample`() throws {
    var reasons: Set<RejectReason> = []
    var tally = RecordTally()
    let store = SampleStore(.showcase)
    for number in 0..<store.exportCount {
      let file = store.export(number)
      let content = try readExport(
        bytes: file.bytes, name: file.name,
        kind: number < store.options.files ? .receipts : .prices)
      reasons.formUnion(content.rejects.map(\.reason))
      tally.add(content.tally)
    }
    // The sample's forged token is in a separate file. It has neither reports of Apple nor tables,
    // and prices in other formats are in SampleData/payloads. No receipt of the sample is forged,
    // hostile, or of the future.
    let elsewhere = [
      "token_", "report_", "table_", "price_unnamed_", "impossible_", "future_", "id_",
    ]
    for reason in RejectReason.allCases
    where !elsewhere.contains(where: reason.rawValue.hasPrefix) {
      #expect(reasons.contains(reason), "no line of SampleData is refused as \(reason.rawValue)")
    }
    #expect(tally.duplicates >= 1)
    #expect(tally.rejected * 4 < tally.records, "limits.rejected_share of sample.yaml is 0.25")
  }

  @Test func `the truth of the sample knows every kind, exclusion and reversal`() {
    let truth = SampleStore(.showcase).truth
    #expect(
      Set(truth.purchases.map(\.kind)) == [
        "trial", "intro", "promo", "offer_code", "regular", "one_time",
      ])
    #expect(
      Set(truth.purchases.map(\.exclusion)) == ["", "sandbox", "family_shared", "foreign_bundle"])
    #expect(Set(truth.purchases.map(\.reversal)) == ["none", "refund", "upgrade"])
    #expect(
      Set(truth.offers.map(\.status)) == ["converted", "pending", "billing_retry", "lapsed"])
    #expect(Set(truth.purchases.map(\.currency)).isSuperset(of: ["USD", "EUR", "JPY", "KWD"]))
  }

  /// The true amounts of single scenarios, computed by hand from the price list in `SampleStories`.
  @Test(arguments: [
    // Seven months at 9.99: this customer subscribed before the rise of May 8.
    ExpectedAmount("100000831001006", 9_990, "yes"),
    ExpectedAmount("100000831001024", 9_990, "yes"),
    // 0.99 three times, then 8.99 in April and May, and 10.99 from July 20.
    ExpectedAmount("100000831006009", 990, "yes"), ExpectedAmount("100000831006012", 8_990, "yes"),
    ExpectedAmount("100000831006021", 10_990, "yes"),
    // 4.99 once for three months.
    ExpectedAmount("100000831008003", 4_990, "yes"),
    // 80 percent of 9.99, at the nearest price point.
    ExpectedAmount("100000831014003", 7_990, "yes"),
    // 90 percent of 7.99 is 7.19, between the price points 6.99 and 7.99; no export shows it.
    ExpectedAmount("100000831015003", 6_990, "no"),
    // The consent to 5.99 is in a snapshot of the first chain only.
    ExpectedAmount("100000831021012", 5_990, "yes"), ExpectedAmount("100000831022009", 5_990, "no"),
    // Three bags at 7.99.
    ExpectedAmount("100000831051003", 23_970, "yes"),
    // 24.990 KWD has no report; 4.490 KWD has one report and no reference.
    ExpectedAmount("100000831054003", 24_990, "no"),
    ExpectedAmount("100000831055003", 4_490, "yes"),
    // The customers who reported false prices paid the usual price.
    ExpectedAmount("100000831096003", 1_990, "yes"), ExpectedAmount("100000831099003", 990, "yes"),
  ])
  func `a story's amount is what its comment says`(_ expected: ExpectedAmount) throws {
    let truth = SampleStore(.showcase).truth
    let purchase = try #require(truth.purchases.first { $0.transactionIDs.contains(expected.id) })
    #expect(purchase.paidMilli == expected.paid)
    #expect(purchase.isResolvable == (expected.isResolvable == "yes"))
  }
}

/// A purchase of a scenario and the amount paid for it.
struct ExpectedAmount: Sendable {
  var id: String
  var paid: Int64
  var isResolvable: String

  init(_ id: String, _ paid: Int64, _ isResolvable: String) {
    self.id = id
    self.paid = paid
    self.isResolvable = isResolvable
  }
}
