import AppleReports
import CivilTime
import Diagnostics
import PurchaseModel
import Testing

/// App Analytics' reports about subscriptions.
@Suite struct `Reports of App Analytics` {
  private static let former = """
    Event Date\tApp Name\tApp Apple Identifier\tEvent Sub Type\tEvent Grouping\tSubscription Name\t\
    Subscription Identifier\tOffer Duration\tApp Download Source Type\tTerritory\tCounts
    """
  private static let current = """
    Event Date\tApp Name\tApp Apple Identifier\tEvent Group\tEvent Name\tSubscription Name\t\
    Subscription Identifier\tOffer Duration\tApp Download Source Type\tTerritory\tCounts
    """

  private static func line(_ cells: String...) -> String { cells.joined(separator: "\t") }

  @Test func `events are read whether Apple calls them sub types or names`() throws {
    let former = try Report.read(
      Self.former,
      Self.line(
        "2026-10-01", "Studio Level", "1001", "Free Trial Starts", "Offer Starts", "Pro Monthly",
        "6001", "1 Week", "App Store search", "US", "2"))
    let current = try Report.read(
      Self.current,
      Self.line(
        "2026-10-01", "Studio Level", "1001", "Offer Starts", "Free Trial Starts", "Pro Monthly",
        "6001", "1 Week", "App Store search", "USA", "2"))
    #expect(former.report == .analyticsEvent && former.lines == current.lines)
    let line = try #require(former.lines.first)
    #expect(line.event == "Free Trial Starts" && line.units == 2 && line.appleID == "6001")
    #expect(line.app == "1001" && line.storefront == Storefront("USA"))
    #expect(line.day == CivilDay(year: 2026, month: 10, day: 1))
    #expect(former.unknownColumns.isEmpty && current.unknownColumns.isEmpty)
    // Which of two instances is newer is in their names alone.
    #expect(former.isWithoutDay)
  }

  @Test func `states are read by their metric`() throws {
    let content = try Report.read(
      "Date\tApp Apple Identifier\tState Metric\tSubscription Identifier\tTerritory\tCounts",
      Self.line("2026-10-01", "1001", "Free Trials", "6001", "DE", "17"))
    #expect(content.report == .analyticsState)
    #expect(content.lines.map(\.units) == [17] && content.lines.map(\.event) == ["Free Trials"])
  }

  @Test func `joined parts of an instance have their header once each`() throws {
    let line = Self.line(
      "2026-10-01", "Studio Level", "1001", "Full Price Renewals", "Renewals", "Pro Monthly",
      "6001",
      "", "", "US", "3")
    let content = try Report.read(Self.former, line, Self.former, line)
    #expect(content.lines.map(\.units) == [3, 3])
    #expect(content.tally.used == 2 && content.tally.rejected == 0)
  }

  @Test func `a column that is not known is named, and so is one that is missing`() throws {
    let more = try Report.read(Self.former + "\tBilling Country\tAge Group")
    #expect(more.report == .analyticsEvent)
    #expect(more.unknownColumns == ["age group", "billing country"])
    let renamed = try Report.read(
      Self.former.replacing("Subscription Identifier", with: "Plan Number"))
    #expect(renamed.report == nil)
    #expect(
      renamed.otherTable
        == "a report of App Analytics about subscriptions without the column subscription identifier"
    )
    // Other reports of App Analytics stay unused.
    let purchases = try Report.read(
      "Date\tApp Apple Identifier\tContent Name\tTerritory\tPurchases\tProceeds in USD")
    #expect(purchases.otherTable == "a report of App Analytics")
  }

  @Test func `a count without territory or number is rejected, and the others stay`() throws {
    let content = try Report.read(
      Self.former,
      Self.line(
        "2026-10-01", "S", "1001", "Full Price Renewals", "", "Pro", "6001", "", "", "", "3"),
      Self.line(
        "2026-10-01", "S", "1001", "Full Price Renewals", "", "Pro", "6001", "", "", "US", "x"),
      Self.line(
        "2026-10-01", "S", "1001", "Full Price Renewals", "", "Pro", "6001", "", "", "US", "1"))
    #expect(content.lines.map(\.units) == [1])
    #expect(
      content.rejects.map { "\($0.line) \($0.reason) \($0.detail)" } == [
        "2 reportFieldMissing territory", "3 reportFieldInvalid counts",
      ])
  }
}
