internal import CivilTime

/// Receipts are passed on: a file with a receipt goes round, and hundreds of customers upload it.
///
/// Each of fourteen receipts is sent by 40 to 260 other customers, with their ids and from their
/// countries. Half of these ids belong to customers who have purchases of their own.
///
/// The evidence is the number of ids in the records of one receipt: a receipt that so many send
/// links nobody, and the countries of these records are not those of its purchases.
struct RestoreStorm: Phenomenon {
  /// The number of receipts that are passed on.
  var receipts = 14
  /// The number of customers who send each of them.
  var senders = 40...260
  private var chosen: Set<Int> = []

  mutating func changeWorld(_ world: inout World, _ random: inout SampleRandom) {
    while chosen.count < min(receipts, world.customers) {
      chosen.insert(random.below(world.customers))
    }
  }

  func changeAccount(_ account: inout Account, in world: World, _ random: inout SampleRandom) {
    guard chosen.contains(account.number), let first = account.uploads.map(\.at).min() else {
      return
    }
    for number in 0..<random.within(senders) {
      let at = first + Int64(random.below(Int(world.end - first) / 1000)) * 1000
      var upload = AccountUpload(at: at, inAppAsOf: first)
      upload.sender =
        random.happens(perMille: 500)
        ? "u-\(100_000 + random.below(world.customers))" : "r-\(account.number)-\(number)"
      upload.named = random.weighted(world.storefronts.map(\.weight))
      upload.namesStorefront = random.happens(perMille: world.reporting.recordNamesStorefront)
      account.uploads.append(upload)
    }
  }
}
