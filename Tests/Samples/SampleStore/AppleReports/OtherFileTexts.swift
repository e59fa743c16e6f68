internal import CivilTime

/// Files in a vendor's folder that are not reports of in-app purchases.
enum OtherFileTexts {
  /// The text of each of these files for one day, with the beginning of the file's name.
  static func all(on day: CivilDay) -> [(name: String, text: String)] {
    let (year, month, date) = day.date
    let slashed = "\(two(month))/\(two(date))/\(year)"
    return [
      (
        "preorders",
        "Title\tSKU\tPre-order Start Date\tOrdered\tCanceled\nPro 2\tpro2\t\(slashed)\t4\t1\n"
      ),
      (
        "redemptions",
        "Date\tOffer Reference Name\tOffer Code\tRedemptions\n\(day.text)\tSPRING\tAB12\t3\n"
      ),
      ("manifest", "Reports of \(day.text), downloaded by hand.\nPlease keep.\n"),
      (
        "financial",
        """
        Start Date\tEnd Date\tVendor Identifier\tQuantity\tExtended Partner Share\tSales or Return\t\
        Apple Identifier\tTitle\tProduct Type Identifier\tCountry Of Sale\tCustomer Price\t\
        Customer Currency
        \(slashed)\t\(slashed)\tchess.gold\t2\t6.98\tS\t1600000001\tGold\tIAY\tUS\t4.99\tUSD
        Total_Rows\t1
        Total_Amount\t6.98
        Total_Units\t2

        """
      ),
    ]
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
