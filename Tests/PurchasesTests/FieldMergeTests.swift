internal import PurchaseModel
internal import Purchases
internal import Testing
internal import TestSupport

/// Two snapshots of one purchase and the expected merged values.
struct FieldStory: Sendable, CustomTestStringConvertible {
  var story: String
  /// The rows of the older and of the newer snapshot; `nil` for no row.
  ///
  /// Each row is written as a change of one common row.
  var older: (inApp: Change?, latest: Change?) = (nil, nil)
  var newer: (inApp: Change?, latest: Change?) = (nil, nil)
  var expect: @Sendable (Purchase, BuiltStore) -> Bool

  typealias Change = @Sendable (inout StoreRow) -> Void
  var testDescription: String { story }
}

@Suite struct FieldMergeTests {
  static let stories: [FieldStory] = [
    FieldStory(
      story: "a cancellation in the newest snapshot counts",
      older: (nil, { _ in }), newer: (nil, { $0.cancelled = "2021-05-20" }),
      expect: { row, _ in row.cancelledAt == instant("2021-05-20") }),
    FieldStory(
      story: "a cancellation that the newest snapshot lacks is a refund reversed",
      older: (
        nil,
        {
          $0.cancelled = "2021-05-20"; $0.reason = "1"
        }
      ), newer: (nil, { _ in }),
      expect: { row, _ in row.cancelledAt == nil && row.cancellationReason == nil }),
    FieldStory(
      story: "a cancellation on any row of the newest snapshot counts",
      newer: (
        {
          $0.cancelled = "2021-05-20"; $0.reason = "0"
        }, { _ in }
      ),
      expect: { row, store in
        row.cancelledAt == instant("2021-05-20") && row.cancellationReason == store.symbol("0")
      }),
    FieldStory(
      story: "of two cancellations in one snapshot the later counts, with its reason",
      newer: (
        {
          $0.cancelled = "2021-05-20"; $0.reason = "1"
        },
        {
          $0.cancelled = "2021-05-21"; $0.reason = "0"
        }
      ),
      expect: { row, store in
        row.cancelledAt == instant("2021-05-21") && row.cancellationReason == store.symbol("0")
      }),
    FieldStory(
      story: "of two equal cancellations the larger reason counts",
      newer: (
        {
          $0.cancelled = "2021-05-20"; $0.reason = "1"
        },
        {
          $0.cancelled = "2021-05-20"; $0.reason = "0"
        }
      ),
      expect: { row, store in row.cancellationReason == store.symbol("1") }),
    FieldStory(
      story: "an in_app row does not erase is_upgraded",
      older: (nil, { $0.upgraded = true }), newer: ({ _ in }, nil),
      expect: { row, _ in row.isUpgraded }),
    FieldStory(
      story: "a newer latest row without is_upgraded erases it",
      older: (nil, { $0.upgraded = true }), newer: (nil, { _ in }),
      expect: { row, _ in !row.isUpgraded }),
    FieldStory(
      story: "without any latest row in_app decides is_upgraded",
      older: ({ $0.upgraded = true }, nil),
      expect: { row, _ in row.isUpgraded }),
    FieldStory(
      story: "an older latest row decides is_upgraded against a newer in_app row",
      older: (nil, { _ in }), newer: ({ $0.upgraded = true }, nil),
      expect: { row, _ in !row.isUpgraded }),
    FieldStory(
      story: "the offer code's name survives snapshots that lack it",
      older: (nil, { $0.code = "SPRING" }), newer: ({ _ in }, { _ in }),
      expect: { row, store in row.offerCodeRefName == store.offer("SPRING") }),
    FieldStory(
      story: "the group survives snapshots that lack it",
      older: (nil, { $0.group = "20611001" }), newer: ({ _ in }, nil),
      expect: { row, store in row.subscriptionGroupID == store.group("20611001") }),
    FieldStory(
      story: "a renewal date extension: the newest expiry stands",
      older: (nil, { $0.until = "2021-06-01" }), newer: (nil, { $0.until = "2021-07-01" }),
      expect: { row, _ in row.expiresAt == instant("2021-07-01") }),
    FieldStory(
      story: "a newer in_app row without expiry says nothing about it",
      older: (nil, { $0.until = "2021-06-01" }), newer: ({ $0.until = nil }, nil),
      expect: { row, _ in row.expiresAt == instant("2021-06-01") }),
    FieldStory(
      story: "in one snapshot the latest list decides the expiry",
      newer: ({ $0.until = "2021-08-01" }, { $0.until = "2021-06-01" }),
      expect: { row, _ in row.expiresAt == instant("2021-06-01") }),
    FieldStory(
      story: "a newer in_app row decides against an older latest row",
      older: (nil, { $0.until = "2021-06-01" }), newer: ({ $0.until = "2021-05-31" }, nil),
      expect: { row, _ in row.expiresAt == instant("2021-05-31") }),
    FieldStory(
      story: "flags stay absent where no row carries them",
      older: (nil, { _ in }),
      expect: { row, _ in row.isTrialPeriod == nil && row.isInIntroOfferPeriod == nil }),
    FieldStory(
      story: "a flag that is false stays false",
      older: (nil, { $0.trial = false }), newer: (nil, { _ in }),
      expect: { row, _ in row.isTrialPeriod == false }),
    FieldStory(
      story: "the newest flag stands",
      older: (nil, { $0.trial = true }), newer: (nil, { $0.trial = false }),
      expect: { row, _ in row.isTrialPeriod == false }),
    FieldStory(
      story: "two products are a conflict, and the newest is shown",
      older: (nil, { $0.product = "old" }), newer: (nil, { $0.product = "new" }),
      expect: { row, store in
        row.conflict == .product && row.productID == store.product("new")
      }),
    FieldStory(
      story: "two purchase times of one line item are a conflict, and the latest list's is shown",
      newer: ({ $0.bought = "2021-05-01T00:00:01Z" }, { $0.bought = "2021-05-01" }),
      expect: { row, _ in
        row.conflict == .purchaseTime && row.purchasedAt == instant("2021-05-01")
      }),
    FieldStory(
      story: "the transaction id is that of the newest latest row",
      older: (nil, { $0.id = "2" }), newer: ({ $0.id = "3" }, nil),
      expect: { row, store in row.transactionID == store.transaction("2") }),
    FieldStory(
      story: "without a latest row the id is that of the newest in_app row",
      older: ({ $0.id = "2" }, nil), newer: ({ $0.id = "3" }, nil),
      expect: { row, store in row.transactionID == store.transaction("3") }),
    FieldStory(
      story: "an ownership that no list knows is no revenue",
      older: (nil, { $0.ownership = "LENT" }),
      expect: { row, _ in row.exclusion == .unknownOwnership }),
    FieldStory(
      story: "a seat that an organization assigned is no revenue",
      older: (nil, { $0.ownership = "ASSIGNED" }),
      expect: { row, _ in row.exclusion == .assigned }),
    FieldStory(
      story: "what a family member shares is no revenue",
      older: (nil, { $0.ownership = "FAMILY_SHARED" }), newer: ({ _ in }, { _ in }),
      expect: { row, _ in row.exclusion == .familyShared }),
    FieldStory(
      story: "the newest ownership decides",
      older: (nil, { $0.ownership = "FAMILY_SHARED" }),
      newer: (nil, { $0.ownership = "PURCHASED" }),
      expect: { row, _ in row.exclusion == nil }),
  ]

  @Test(arguments: stories)
  func `sightings merge field by field`(_ story: FieldStory) throws {
    func row(_ change: FieldStory.Change?) -> [StoreRow] {
      guard let change else { return [] }
      var row = StoreRow("1", of: "1", item: "9", bought: "2021-05-01", until: "2021-06-01")
      change(&row)
      return [row]
    }
    for isReversed in [false, true] {
      let merged = try MergedStore { store in
        let older = (row(story.older.inApp), row(story.older.latest))
        let newer = (row(story.newer.inApp), row(story.newer.latest))
        if isReversed { store.record(at: "2021-06-02", inApp: newer.0, latest: newer.1) }
        store.record(at: "2021-06-01", inApp: older.0, latest: older.1)
        if !isReversed { store.record(at: "2021-06-02", inApp: newer.0, latest: newer.1) }
      }
      let purchase = try #require(merged.book.purchases.first)
      #expect(merged.book.purchases.count == 1)
      #expect(story.expect(purchase, merged.store), "\(story.story): \(purchase)")
    }
  }

  @Test func `equally new sightings: present beats absent, then the larger value`() throws {
    let merged = try MergedStore { store in
      for (until, trial, promo) in [
        ("2021-06-01", nil, "b"), ("2021-06-02", false, nil), ("2021-05-31", true, "a"),
      ] as [(String, Bool?, String?)] {
        store.record(
          at: "2021-06-02",
          latest: [
            StoreRow(
              "1", item: "9", bought: "2021-05-01", until: until, trial: trial, promo: promo)
          ])
      }
    }
    let purchase = try merged.purchase("1")
    #expect(purchase.expiresAt == instant("2021-06-02"))
    #expect(purchase.isTrialPeriod == true)
    #expect(purchase.promotionalOfferID == merged.store.offer("b"))
  }

  @Test func `the source is the newest sighting, of equal ones the smallest place`() throws {
    let row = [StoreRow("1", item: "9", bought: "2021-05-01", until: "2021-06-01")]
    let merged = try MergedStore { store in
      store.record(at: "2021-06-01", latest: row, file: 0)  // line 1
      store.record(at: "2021-06-02", latest: row, file: 2)  // line 2
      store.record(at: "2021-06-02", latest: row, file: 1)  // line 3
      store.record(at: "2021-06-02", latest: row, file: 1)  // line 4
      store.record(at: "2021-06-02", inApp: row, file: 0)  // line 5
    }
    #expect(try merged.purchase("1").source == SourceLine(file: 1, line: 3))
  }
}
